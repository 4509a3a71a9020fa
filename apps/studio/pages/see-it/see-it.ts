import type { FlowView, Waymark } from '@waymark/client';
import type { showFlows } from '@waymark/elements';
import { drawCustom } from './draw-custom.js';
import './see-it.css';

/** What blocks-api serves. */
interface Elements {
  createWaymark(options: object): Waymark;
  showFlows: typeof showFlows;
}

/** How often the page requests its edition. */
const EVERY_MS = 250;

const find = <Found extends HTMLElement>(id: string): Found => document.getElementById(id) as Found;
const place = new URL(location.href);
const asked = {
  user: place.searchParams.get('user') ?? 'ada',
  flow: place.searchParams.get('flow') ?? 'onboarding',
  version: place.searchParams.get('version') === 'uncommitted' ? 'uncommitted' : 'latest',
};
const { blocks: url, key } = document.body.dataset;

/** An address for what is chosen, so that it can be shared and loaded again. */
for (const name of ['user', 'flow', 'version'] as const) {
  const input = find<HTMLInputElement>(name);
  input.value = asked[name];
  input.onchange = () => {
    place.searchParams.set(name, input.value.trim());
    location.assign(place);
  };
}
find<HTMLAnchorElement>('edit').href = `/development/flows/${encodeURIComponent(asked.flow)}/edit`;

const describe = ({ started, stopped, finished, blocks }: FlowView): string => {
  if (finished) return 'finished';
  if (stopped) return 'stopped';
  if (started) return 'in progress';
  return blocks.length > 0 ? 'not started: the user does not qualify' : 'waiting for the user';
};

const picture = find('picture');
const query = new URLSearchParams({ flow: asked.flow, version: asked.version });

/** Read as XML, in which nothing runs. */
async function drawPicture(): Promise<void> {
  const request = new XMLHttpRequest();
  request.open('GET', `/see-it/picture?${query}`);
  request.responseType = 'document';
  request.overrideMimeType('image/svg+xml');
  await new Promise((resolve) => {
    request.onloadend = resolve;
    request.send();
  });
  const svg = request.status === 200 && request.responseXML?.documentElement;
  if (!svg) return picture.replaceChildren();
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `The picture of ${asked.flow}`);
  picture.replaceChildren(document.importNode(svg, true));
  if (view) drawState(view);
}

let view: FlowView | undefined;
function drawState(now: FlowView): void {
  view = now;
  find('standing').textContent = `${asked.flow}: ${describe(view)}`;
  find('blocks').replaceChildren(
    ...view.blocks.map(({ name, type, active, exited, fields }) => {
      const row = document.createElement('li');
      const title: unknown = fields['title'];
      row.className = active ? 'active' : exited ? 'left' : '';
      row.textContent = typeof title === 'string' ? title : name.split('.')[1]!;
      row.dataset['type'] = type;
      return row;
    }),
  );
  for (const { name, active, exited } of view.blocks) {
    const box = picture.querySelector(`[data-block="${CSS.escape(name.split('.')[1]!)}"]`);
    box?.classList.toggle('active', active);
    box?.classList.toggle('left', exited && !active);
  }
}

const elements = (await import(/* @vite-ignore */ `${url}/elements.js`)) as Elements;
let stop = (): void => {};

/**
 * A client is made anew for each edition, since one that runs keeps the version that it has read.
 */
function show(): void {
  stop();
  const client = elements.createWaymark({
    url,
    key,
    user: asked.user,
    flows: [`${asked.flow}@${asked.version}`],
  });
  const hide = elements.showFlows(client, { renderers: { custom: drawCustom } });
  const leave = client.flow(asked.flow).subscribe(drawState);
  find('over').onclick = () => void client.flow(asked.flow).get().reset();
  stop = () => {
    hide();
    leave();
    client.close();
  };
}

/**
 * A new edition is shown again at every second of so many looks: blocks-api may serve the old draft
 * for up to a second.
 */
const LOOKS_AGAIN = 4;

let shown: string | undefined;
let refreshesLeft = 0;
async function refreshState(): Promise<void> {
  const answer = await fetch(`/see-it/edition?${query}`).catch(() => undefined);
  if (!answer?.ok) return;
  const { edition } = (await answer.json()) as { edition: string };
  const isNew = shown !== edition;
  const isAgain = !isNew && refreshesLeft > 0 && --refreshesLeft % 2 === 0;
  if (isNew) refreshesLeft = shown === undefined ? 0 : LOOKS_AGAIN;
  shown = edition;
  if (!isNew && !isAgain) return;
  show();
  await drawPicture();
}
/** Whom no backend has identified sees nothing. */
await fetch('/see-it/user', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ user: asked.user }),
}).catch(() => undefined);
await refreshState();
setInterval(() => void refreshState(), EVERY_MS);
