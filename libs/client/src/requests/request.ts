import { WaymarkError } from './error.js';
import { ANSWER_PATIENCE } from './limits.js';

/** The address of the service, and the user of the requests. */
export interface Access {
  /** Of blocks-api, such as `https://blocks.example.com`, without a slash at its end. */
  readonly url: string;
  /** A blocks key; a public one in pages. */
  readonly key: string;
  /** The identifier of the user, as your backend gave it to users-api. */
  readonly user: string;
  /**
   * The identifier of the group that conditions look at; without one, all groups of the user count.
   */
  readonly group?: string | undefined;
  /**
   * A user token where the environment verifies its users: a text, or a function that is called
   * again when one is refused.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * The language of texts, such as `de-CH`, or a list of these; without it, in a page, those that
   * the browser prefers.
   */
  readonly language?: string | undefined;
  /** Where the global one is not to be used. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Throws a WaymarkError for every answer but those of the service. With an idempotency key it is a
 * POST.
 */
export type Call = (path: string, idempotencyKey?: string) => Promise<Response>;

/** `name=value` for each of them. Encodes anything, halves of emoji too. */
export const toQuery = (name: string, values: readonly string[]): string =>
  `${new URLSearchParams(values.map((value) => [name, value] as [string, string]))}`;

/** What browsers have; nothing of it is there on a server. */
export const page = globalThis as {
  document?: { hidden: boolean };
  navigator?: { languages?: readonly string[] };
  addEventListener?: (
    event: string,
    listener: () => void,
    options: { signal: AbortSignal },
  ) => void;
};
/** Nothing outside of pages: on a server they would be those of the server. */
const preferredLanguages = (): string | undefined =>
  page.document && page.navigator?.languages?.join();

/**
 * The calls of one user, of whom a page must not have a secret key (V1); whom they are about, as a
 * query; the key with the token behind it (V4); a way to forget a token that was refused; and the
 * language, as the end of a query.
 */
export function createCalls({
  url,
  key,
  user,
  group,
  token,
  language = preferredLanguages(),
  fetch: send = fetch,
}: Access) {
  const userQuery = `${new URLSearchParams({ userIdentifier: user, ...(group && { groupIdentifier: group }) })}`;
  if (!user) throw new WaymarkError('user is missing: the identifier that users-api was given');
  if (page.document && key.startsWith('blocks-secret-'))
    throw new WaymarkError('key is secret: a page needs a public key');
  const languageQuery = language ? `&${toQuery('language', [language])}` : '';
  let pendingToken: Promise<string | undefined> | undefined;

  const forgetToken = (): void => {
    pendingToken = undefined;
  };
  async function getKey(): Promise<string> {
    if (!pendingToken)
      (pendingToken = Promise.resolve(typeof token === 'function' ? token() : token)).catch(
        forgetToken,
      );
    const text = await pendingToken;
    return text ? `${key}.${text}` : key;
  }
  const call: Call = async (path, id) => {
    // An answer is kept at the end of its path, and goes into the body, which has more room (Z3).
    const [address] = path.split('&data=');
    const response = await send(`${url}/v2/${address}&${userQuery}${id ? '' : languageQuery}`, {
      method: id && 'POST',
      body: new URLSearchParams(path).get('data'),
      headers: {
        'x-api-key': await getKey(),
        ...(id && { 'idempotency-key': id, 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(ANSWER_PATIENCE),
    });
    const { status, headers } = response;
    // Any other success comes from something between here and the service.
    if (status === (id ? 204 : 200)) return response;
    if (status === 401) forgetToken();
    const answer = (await response.json().catch(() => {})) as { details?: string } | undefined;
    throw new WaymarkError(answer?.details ?? `HTTP ${status}`, {
      ...answer,
      status,
      retryAfter: headers.get('retry-after'),
    });
  };
  return [call, userQuery, getKey, forgetToken, languageQuery] as const;
}
