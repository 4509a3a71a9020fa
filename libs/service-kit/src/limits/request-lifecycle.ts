import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { QueuedRequest } from './slots.js';

/**
 * Requests that a client may send ahead on one connection. Browsers and the clients of today send
 * none.
 */
const MOST_AHEAD = 100;
/** How long a client may still send a body whose request is answered. */
const CUT_AFTER_MS = 2_000;

/** What the admission does for a request. */
export interface AdmissionSteps {
  /** It is the first on its connection. */
  begin(request: RequestLifecycle): void;
  /** Its answer is written: no work is left, but it may not be read yet. */
  answered(request: RequestLifecycle): void;
  /** Its answer was read, or its connection has ended. */
  left(request: RequestLifecycle): void;
  /** Ends a connection that sends too much ahead. */
  cut(socket: Socket): void;
}

/** A symbol, not a WeakMap, which would keep requests alive until a full garbage collection. */
const LIFECYCLE = Symbol('lifecycle');
const LINE = Symbol('requests of a connection');

declare module 'node:http' {
  interface IncomingMessage {
    [LIFECYCLE]?: RequestLifecycle;
  }
}

type Connection = Socket & { [LINE]?: RequestLifecycle[] };

/** The lifecycle of a request that passes the admission. */
export const lifecycleOf = (request: IncomingMessage): RequestLifecycle | undefined =>
  request[LIFECYCLE];

/** The last request of a connection that was answered before its body had arrived. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>();

/**
 * Whether the body that a connection still sends is answered: a client that never ends it must not
 * get a second answer.
 */
export const wasAnsweredEarly = (socket: Socket): boolean =>
  answeredEarly.get(socket)?.complete === false;

/** A request from its head to the end of its answer, with what it holds. */
export class RequestLifecycle {
  /** For a slot; set once nothing of the request is still to come. */
  queued: QueuedRequest | undefined;
  /** Of its body, in memory. */
  keptBytes = 0;
  /** The answer was read, or its client is gone: from now on the request holds nothing. */
  isOver = false;

  constructor(
    private readonly admission: AdmissionSteps,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly listener: RequestListener,
  ) {
    request[LIFECYCLE] = this;
  }

  /**
   * Begins when the requests before it on its connection are over, so that a connection never holds
   * two slots.
   */
  arrive(): void {
    const socket: Connection = this.request.socket;
    // Node hands over all that it has read already.
    if (socket.destroyed) return;
    const line = (socket[LINE] ??= lineOf(socket));
    if (line.length > MOST_AHEAD) return this.admission.cut(socket);
    if (line.push(this) === 1) this.begin(line);
  }

  /** Releases what it holds. Idempotent. */
  end(): void {
    this.isOver = true;
    this.admission.left(this);
  }

  run(): void {
    this.listener(this.request, this.response);
  }

  private begin(line: RequestLifecycle[]): void {
    const { admission, request, response } = this;
    // All of the answer is written, though perhaps not sent; `close` follows in any case, only
    // later.
    response.once('prefinish', () => {
      if (!request.complete) this.ignoreBody();
      admission.answered(this);
    });
    response.once('close', () => {
      line.shift()?.end();
      if (!request.socket.destroyed) line[0]?.begin(line);
    });
    admission.begin(this);
  }

  /** Answered before the body arrived. Keep reading briefly, or the client may miss the answer. */
  private ignoreBody(): void {
    const { request } = this;
    answeredEarly.set(request.socket, request);
    request.on('error', () => undefined).resume();
    const cut = () => request.complete || request.socket.destroy();
    setTimeout(cut, CUT_AFTER_MS).unref();
  }
}

/** Of answers that were still to come when a connection ends, Node says nothing. */
function lineOf(socket: Socket): RequestLifecycle[] {
  const line: RequestLifecycle[] = [];
  socket.once('close', () => line.splice(0).forEach((request) => request.end()));
  return line;
}
