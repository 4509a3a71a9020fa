import { WaymarkError } from './error.js';

/** Where the service is and whom to speak for. */
export interface Access {
  /** Of blocks-api, such as `https://blocks.example.com`, without a slash at its end. */
  readonly url: string;
  /** A blocks key; a public one in pages. */
  readonly key: string;
  /** The identifier of the user. */
  readonly user: string;
  readonly group?: string | undefined;
  /** A user token where the environment verifies its users: a text, or a function that is asked again when one is refused. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export type Query = readonly (readonly [name: string, value: string])[];
/** Throws a WaymarkError for every answer but 2xx. With an idempotency key it is a POST. */
export type Call = (path: string, query: Query, idempotencyKey?: string) => Promise<Response>;

/** How long an answer may take; then the request counts as lost. */
const PATIENCE_MS = 20_000;

/** The calls of one user; the key with the token behind it (V4); and a way to forget a token that was refused. */
export function createCalls({ url, key, user, group, token, fetch: send = fetch }: Access) {
  let known: string | Promise<string> | undefined;

  async function getKey(): Promise<string> {
    known ??= typeof token === 'function' ? token() : token;
    const text = await Promise.resolve(known).catch(forgetToken);
    return text ? `${key}.${text}` : key;
  }
  const forgetToken = (fault?: unknown): void => {
    known = undefined;
    if (fault) throw fault;
  };
  const call: Call = async (path, query, id) => {
    const whom = [['userIdentifier', user], ...(group ? [['groupIdentifier', group]] : []), ...query];
    const response = await send(`${url}/v2/${path}?${new URLSearchParams(whom as [string, string][])}`, {
      method: id ? 'POST' : 'GET',
      headers: { 'x-api-key': await getKey(), ...(id && { 'idempotency-key': id }) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { ok, status, headers } = response;
    if (ok) return response;
    const more = {
      status,
      retryAfter: headers.get('retry-after'),
      ...((await response.json().catch(() => null)) as object | null),
    };
    if (status === 401) forgetToken();
    throw new WaymarkError('http_error', `HTTP ${status}`, more);
  };
  return [call, getKey, forgetToken] as const;
}
