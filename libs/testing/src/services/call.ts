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
  /** A text or bytes go as they are, anything else as JSON; with content-type application/json unless given. */
  body?: unknown;
}

/** Sends one request, such as `call(service, 'POST /identify', { key, body })`, and reads the answer. */
export async function call(service: { url: string }, request: string, options: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', target = '/'] = request.split(/ (.*)/s);
  const url = `${service.url}${target}`;
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.key !== undefined && { 'x-api-key': options.key }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: toBody(options.body) }),
  });
  const text = await response.text();
  return { method, url, status: response.status, headers: response.headers, text, body: parse(text) };
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
