import { writePart } from './part.js';

/** The server refused, or could not be asked. */
export class CallError extends Error {
  constructor(
    /** 0 where the server did not answer. */
    readonly status: number,
    message: string,
    /** What else the answer says, such as the differences of a conflict. */
    readonly body: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

const listeners = new Set<() => void>();

/** Calls back when the server says that there is no session any more. */
export function onSessionEnd(listener: () => void): void {
  listeners.add(listener);
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
  signal?: AbortSignal;
}

/** Asks the server. Throws a `CallError` that says what was wrong and what to do. */
export async function call<Answer = undefined>(
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const response = await send(path, options);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** The answer, which is a success. Throws as `call` does. */
export async function send(path: string, { method, body, signal }: CallOptions): Promise<Response> {
  const request = {
    method: method ?? (body ? 'POST' : 'GET'),
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal && { signal }),
  };
  const response = await fetch(path, request).catch((error: unknown) => {
    if ((error as Error).name === 'AbortError') throw error;
    throw new CallError(0, 'The studio does not answer. Is it still running?');
  });
  if (response.ok) return response;
  if (response.status === 401 && path !== '/api/login')
    for (const listener of listeners) listener();
  const answer = (await response.json().catch(() => ({}))) as { details?: string };
  throw new CallError(
    response.status,
    sentence(answer.details ?? `The studio answered with ${response.status}.`),
    answer,
  );
}

/** Text such as `user.properties.plan == "pro"`, which stays as it is written. */
const BEGINS_WITH_CODE = /^[a-z]\w*[.([]\w/;

/** A refusal as people write one. */
export function sentence(text: string): string {
  const first = BEGINS_WITH_CODE.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…)]$/.test(first) ? first : `${first}.`;
}

/** A path of the interface; each part is written so that it stays one. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map(writePart));
}
