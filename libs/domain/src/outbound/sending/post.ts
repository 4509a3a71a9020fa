import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { lookupFor, refusePrivateLiteral } from './addresses.js';
import { inPlainWords, SendFailure } from './send-failure.js';

export interface Posting {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Connections to use again; one of its own without. */
  readonly agent?: Agent;
}

export interface PostSettings {
  /** Whether private and loopback addresses may be sent to. */
  readonly allowPrivateAddresses: boolean;
  /** Milliseconds until the answer has begun. */
  readonly timeoutMs: number;
}

export interface PostAnswer {
  readonly status: number;
  /** The beginning of its body. */
  readonly text: string;
}

/**
 * What is read of an answer, and how long it may go on after its head: a receiver cannot hold a
 * connection by answering slowly.
 */
const MOST_CHARACTERS = 2_000;
const MOST_BYTES = 64 * 1024;
const REST_MS = 500;
/**
 * Interim answers before the one that counts: `100 Continue` and `103 Early Hints` come once, if at
 * all.
 */
const MOST_INTERIM = 100;
const TOO_MANY_INTERIM = `more than ${MOST_INTERIM} interim answers, such as 100 Continue`;

/**
 * Sends one POST to an address that was checked, and nowhere else: redirects are not followed, and
 * no proxy of the environment is used (S19). Throws the reason of `stop` when that says so, and a
 * `SendFailure` where the address is refused, no answer comes in time or the network says otherwise
 * why there is none.
 */
export async function post(
  posting: Posting,
  settings: PostSettings,
  stop: AbortSignal,
): Promise<PostAnswer> {
  if (!settings.allowPrivateAddresses) refusePrivateLiteral(posting.url);
  const timeout = new SendTimeout(settings.timeoutMs, stop);
  try {
    return await exchange(posting, settings, timeout);
  } finally {
    timeout.lift();
  }
}

function exchange(
  posting: Posting,
  settings: PostSettings,
  timeout: SendTimeout,
): Promise<PostAnswer> {
  const { url, headers, body, agent = false } = posting;
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup = lookupFor(settings.allowPrivateAddresses);
    let isAnswered = false;
    const request = open(url, { method: 'POST', headers, agent, lookup }, (response) => {
      isAnswered = true;
      readAnswer(response, resolve);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The head is the answer; errors in the body do not matter.
      if (isAnswered) return;
      // Kept open from the last request, and closed by the other side just when this one came.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET';
      if (isStale)
        exchange({ ...posting, agent: undefined }, settings, timeout).then(resolve, reject);
      else reject(inPlainWords(error));
    });
    // No other protocol was requested. Without a listener Node would end the request silently,
    // timeout or not.
    request.on('upgrade', ({ statusCode = 101 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, text: '' });
    });
    let interim = 0;
    request.on('information', () => {
      if (++interim > MOST_INTERIM)
        request.destroy(new SendFailure('webhook.no-answer', TOO_MANY_INTERIM));
    });
    timeout.set(request);
    request.end(body);
  });
}

/**
 * Reads on to the end, so that the connection can be used again, unless there is no end in sight.
 */
function readAnswer(response: IncomingMessage, resolve: (answer: PostAnswer) => void): void {
  let text = '';
  let bytes = 0;
  const late = setTimeout(() => response.destroy(), REST_MS);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (text.length < MOST_CHARACTERS)
      text += chunk.toString('utf8').slice(0, MOST_CHARACTERS - text.length);
    if (bytes > MOST_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    clearTimeout(late);
    resolve({ status: response.statusCode ?? 0, text });
  });
}

/**
 * Ends a request that has no answer in time, or when its signal says stop. By hand, since
 * `AbortSignal.any` and `timeout` cost as much as the request itself.
 */
class SendTimeout {
  private request: ClientRequest | undefined;
  private readonly timer: NodeJS.Timeout;
  private why: Error | undefined;

  constructor(
    timeoutMs: number,
    private readonly stop: AbortSignal,
  ) {
    stop.throwIfAborted();
    const late = (): void =>
      this.end(new SendFailure('webhook.no-answer', `no answer within ${timeoutMs / 1000} s`));
    this.timer = setTimeout(late, timeoutMs);
    stop.addEventListener('abort', this.onStop);
  }

  /** The request to be ended, from now on. */
  set(request: ClientRequest): void {
    this.request = request;
    if (this.why) request.destroy(this.why);
  }

  lift(): void {
    clearTimeout(this.timer);
    this.stop.removeEventListener('abort', this.onStop);
  }

  private readonly onStop = (): void => this.end(this.stop.reason as Error);

  private end(why: Error): void {
    this.why = why;
    this.request?.destroy(why);
  }
}
