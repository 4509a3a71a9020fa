import { createWaymark, WaymarkError } from '@waymark/client';
import { showFlows } from '../show-flows.js';
import { dom } from '../page/dom.js';

export { createWaymark, showFlows };

/** The first script of the page that is this file and says with which key to ask (N1). */
const tag = [...dom.querySelectorAll<HTMLScriptElement>('script[data-key]')].find(
  ({ src }) => src === import.meta.url,
);
if (tag) start(tag.dataset);

function start({ key, user, group, flows, language, tokenUrl, debug }: DOMStringMap): void {
  const missing = Object.entries({ 'data-key': key, 'data-user': user, 'data-flows': flows })
    .filter(([, value]) => !value?.trim())
    .map(([name]) => name);
  // oxlint-disable-next-line no-console -- a page without a script of its own has no other place for it
  if (missing.length > 0) return console.error(`the tag of Waymark lacks ${missing.join(', ')}`);
  const client = createWaymark({
    url: new URL('.', import.meta.url).href.replace(/\/$/, ''),
    key: key!,
    user: user!,
    group,
    flows: flows!.trim().split(/\s+/) as never,
    ...(tokenUrl && { token: () => readToken(tokenUrl) }),
    ...(language && { language }),
  });
  showFlows(client, { language, debug: debug !== undefined });
}

/** Of the user who is signed in, as the page's own backend says. */
async function readToken(url: string): Promise<string> {
  const answer = await fetch(url, { credentials: 'include', cache: 'no-store' });
  if (answer.status !== 200)
    throw new WaymarkError(`${url} answered ${answer.status} instead of a user token`, {
      code: 'token_error',
    });
  return (await answer.text()).trim();
}
