import { globalAgent } from 'node:http';
import supertest, { type Response } from 'supertest';

/** An answer, read to its end. */
export interface Answer {
  method: string;
  url: string;
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the text; undefined when there is no text or it is not JSON. */
  body: unknown;
}

export interface CallOptions {
  /** Goes into `x-api-key`. */
  key?: string | undefined;
  headers?: Record<string, string>;
  /**
   * A text or bytes go as they are, anything else as JSON; with content-type application/json
   * unless given.
   */
  body?: unknown;
}

/**
 * Sends one request, such as `call(service, 'POST /identify', { key, body })`, and reads the
 * answer.
 */
export async function call(
  service: { url: string },
  request: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { key, headers, body } = options;
  const [method = 'GET', target = '/'] = request.split(/ (.*)/s);
  const test = new supertest.Test(service.url, method, target).ok(() => true).agent(globalAgent);
  if (key !== undefined) test.set('x-api-key', key);
  if (body !== undefined) test.set('content-type', 'application/json');
  test
    .set(headers ?? {})
    .parse(readText)
    .buffer(true);
  if (body !== undefined) test.serialize((text: string) => text).send(toBody(body));
  const response = await test;
  // There is nothing to parse in the answer to a HEAD.
  const text = typeof response.body === 'string' ? response.body : '';
  return {
    method,
    url: `${service.url}${target}`,
    status: response.status,
    headers: headersOf(response),
    text,
    body: parse(text),
  };
}

/** Of any type; JSON is read afterwards, since what pretends to be JSON is looked at too. */
function readText(response: Response, done: (error: Error | null, text: string) => void): void {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('end', () => done(null, Buffer.concat(parts).toString()));
}

function headersOf({ headers }: Response): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers as Record<string, string | string[]>))
    for (const each of [value].flat()) all.append(name, each);
  return all;
}

/** A text or bytes as they are. */
function toBody(body: unknown): string | Buffer {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
