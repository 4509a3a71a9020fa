import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { noteAnswered } from '../errors/client-error.js';
import type { ConnectionQueue, Visit } from './connection-queue.js';
import { dropBody, isDropped } from './drop-body.js';
import type { SlotClaim } from './slots.js';

/** Bytes that are read of a body whose request is answered already, and milliseconds until its connection is cut then. */
const MOST_IGNORED_BYTES = 2_621_440;
const CUT_AFTER_MS = 1_000;
/** Pieces smaller than this come from nobody who sends a body as one does; each is work, so it counts as much as these bytes. */
const SMALL_PIECE_BYTES = 512;
const COST_OF_SMALL_PIECE = 16_384;

/** What a request goes through; `Admission` has it. */
export interface Steps {
  readonly rules: {
    isBeside(request: IncomingMessage): boolean;
    isFlood(request: IncomingMessage): boolean;
    turnAway(request: IncomingMessage, response: ServerResponse): void;
    chargeCut(socket: Socket): void;
    refuse(request: IncomingMessage, response: ServerResponse): void;
  };
  /** Takes what it needs to be worked on, now that nothing of it is still to come. */
  enter(visit: RequestVisit, bodyBytes: number, start: () => void): void;
  /** Its body is still to come; no slot is held meanwhile. */
  awaitBody(visit: RequestVisit): void;
  /** The answer is with the connection: nothing is done for it any more, but it is not read yet. */
  answered(visit: RequestVisit): void;
  /** It is over: the answer was read, or nobody is there to read it. */
  left(visit: RequestVisit): void;
}

/**
 * Where a request has its visit. As a WeakMap keeps the visit, which leads back to the request, until the next full garbage
 * collection, each request would be copied by two of the small ones.
 */
const VISIT = Symbol('visit');

declare module 'node:http' {
  interface IncomingMessage {
    [VISIT]?: RequestVisit;
  }
}

/** The visit of a request that passed the admission. */
export const visitOf = (request: IncomingMessage): RequestVisit | undefined => request[VISIT];

/** A request from its head to the end of its answer, with what it holds of the steps. */
export class RequestVisit implements Visit {
  /** For a slot; taken once nothing of the request is still to come. */
  claim: SlotClaim | undefined;
  /** Of its body, in memory. */
  keptBytes = 0;
  isOver = false;
  private ignorableBytes = MOST_IGNORED_BYTES;

  constructor(
    private readonly steps: Steps,
    private readonly queue: ConnectionQueue,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly listener: RequestListener,
  ) {
    request[VISIT] = this;
  }

  begin(): void {
    const { steps, request, response } = this;
    // All of the answer is written, though perhaps not sent; `close` follows in any case, only later.
    response.once('prefinish', () => {
      if (!request.complete || isDropped(request.socket)) this.ignoreBody();
      steps.answered(this);
    });
    response.once('close', () => this.queue.advance());
    if (steps.rules.isBeside(request)) this.run();
    else if (steps.rules.isFlood(request)) this.turnAway();
    else if (hasBody(request)) this.beginWithBody();
    else steps.enter(this, 0, () => this.run());
  }

  end(): void {
    this.isOver = true;
    this.steps.left(this);
  }

  /** Nothing more of the body is read, and a client that has sent ahead loses the connection with the answer. */
  private turnAway(): void {
    this.ignorableBytes = 0;
    if (this.queue.ahead > 0) this.response.setHeader('connection', 'close');
    this.steps.rules.turnAway(this.request, this.response);
  }

  /** Its body takes too long, or too much, while others need the room. */
  refuseBody(): void {
    const { request, response, steps } = this;
    if (response.headersSent) return void request.socket.destroy();
    response.setHeader('connection', 'close');
    steps.rules.refuse(request, response);
  }

  /** Most bodies come together with their head: these are there at the next tick. */
  private beginWithBody(): void {
    process.nextTick(() => {
      const { request, steps } = this;
      if (isWhole(request)) return steps.enter(this, Number(request.headers['content-length'] ?? 0), () => this.run());
      if (request.destroyed) return;
      steps.awaitBody(this);
      this.run();
    });
  }

  /** The answer is out before the body was in. What is sent on is read, or the client may never see the answer, but not for long. */
  private ignoreBody(): void {
    const { request } = this;
    noteAnswered(request);
    if (isDropped(request.socket)) return this.cutSoon();
    const count = (chunk: Buffer): void => {
      this.ignorableBytes -= chunk.length < SMALL_PIECE_BYTES ? COST_OF_SMALL_PIECE : chunk.length;
      if (this.ignorableBytes >= 0) return;
      request.off('data', count);
      dropBody(request);
      this.cutSoon();
    };
    request.on('data', count);
    // A body that nobody has begun to read by the end of the answer is thrown away by Node, all of it and uncounted.
    request.read(0);
    request.on('error', () => undefined);
  }

  /** Once the client may have read its answer. */
  private cutSoon(): void {
    const { socket } = this.request;
    this.steps.rules.chargeCut(socket);
    setTimeout(() => socket.destroy(), CUT_AFTER_MS).unref();
  }

  private run(): void {
    this.listener(this.request, this.response);
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Node says `complete` only after the tick that follows the last bytes. */
const isWhole = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength === Number(request.headers['content-length']);
