import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@waymark/domain/errors';
import { MOST_HEADERS } from '../errors/index.js';
import { Held } from './held.js';
import { ConnectionQueue } from './connection-queue.js';
import { isDropped } from './drop-body.js';
import { RequestVisit, visitOf, type Steps } from './request-visit.js';
import { SlotClaim, Slots, type SlotRules } from './slots.js';
import { takeConnections } from './take-connections.js';

export interface AdmissionRules extends SlotRules {
  /** Bytes of bodies in memory: of those that are arriving, and of those that are worked on. */
  readonly maxBodyBytes: number;
  /** Bytes of answers that wait for clients to read them, and for how many milliseconds. */
  readonly maxUnreadBytes: number;
  readonly readTimeoutMs: number;
  /** Whether the other end may connect just now. */
  mayConnect(socket: Socket): boolean;
  /** Whether it is answered at any time, beside the admission. */
  isBeside(request: IncomingMessage): boolean;
  /** Counts a connection that is cut in the middle of a body. */
  chargeCut(socket: Socket): void;
  /** Counts a request that was sent ahead, before the answer to the one before it. */
  mayAsk(request: IncomingMessage): boolean;
  /** Whether it comes from somebody who asks too often. */
  isFlood(request: IncomingMessage): boolean;
  /** Answers such a request; has to be cheap. */
  turnAway(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a request with more headers than are read, and with it ends the connection. */
  refuseHead(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a request that is one too many; has to be cheap. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
  /** Counts what is refused for that. */
  countRefused(): void;
}

/** Bodies that may be arriving at once: the connection of each is one open file. */
const MOST_ARRIVING = 5_000;
const ARRIVAL_MS = 120_000;
/** Reading a larger body takes so long that others have their turn between two of these. */
const LARGE_BODY_BYTES = 65_536;
const SWEEP_MS = 25;

/** What a request is told that is one too many. */
export const OVERLOADED = new DomainError('service.overloaded', 'too many requests are under way, please try again');

/**
 * Lets requests in, in bounds: of what is worked on at once (`Slots`), of what one connection has open (`ConnectionQueue`), and of what
 * slow clients hold up (`Held`). A request takes in `take` and gives back in `giveBack`, when it is answered or its connection
 * ends, whichever comes first; after its end it takes nothing.
 */
export class Admission implements Steps {
  private readonly slots: Slots;
  private readonly largeBodies: Slots;
  private readonly arriving: Held<RequestVisit>;
  private readonly unread: Held<RequestVisit>;
  private keptBytes = 0;
  private readonly queues = new WeakMap<Socket, ConnectionQueue>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    readonly rules: AdmissionRules,
    now: () => number = () => performance.now(),
  ) {
    this.slots = new Slots(rules, now);
    this.largeBodies = new Slots({ ...rules, maxRunning: 1 }, now);
    const bodies = { count: MOST_ARRIVING, bytes: rules.maxBodyBytes, ms: ARRIVAL_MS };
    this.arriving = new Held(bodies, (visit) => visit.refuseBody(), now);
    const answers = { count: Infinity, bytes: rules.maxUnreadBytes, ms: rules.readTimeoutMs };
    this.unread = new Held(answers, ({ request }) => request.socket.destroy(), now);
    this.timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /** Requests that work is done for. */
  get running(): number {
    return this.slots.running;
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.slots.waiting;
  }

  /** Requests whose body is still arriving, and answers that are still being read. */
  get slowClients(): number {
    return this.arriving.size + this.unread.size;
  }

  /** An HTTP server whose requests pass the admission. */
  createServer(options: ServerOptions, listener: RequestListener): Server {
    const server = createServer(options, (request, response) => this.arrive(request, response, listener));
    takeConnections(server, (socket) => {
      if (!this.rules.mayConnect(socket)) return false;
      const queue = new ConnectionQueue();
      this.queues.set(socket, queue);
      socket.once('close', () => queue.close());
      return true;
    });
    // An unknown expectation is ignored; Node would refuse it without the envelope (W2).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    return server;
  }

  /** Milliseconds that a request waited for its turn. */
  waitedMs(request: IncomingMessage): number {
    return visitOf(request)?.claim?.waitedMs ?? 0;
  }

  /** Bytes of the body have arrived. */
  bodyGrew(request: IncomingMessage, bytes: number): void {
    const visit = visitOf(request);
    if (visit && !visit.claim) this.arriving.add(visit, bytes);
  }

  /** The body is there: calls back when it is its turn to be read and worked on, or with `service.overloaded`. */
  bodyArrived(request: IncomingMessage, bytes: number, done: (error?: Error) => void): void {
    const visit = visitOf(request);
    if (!visit || visit.claim) return done();
    this.arriving.remove(visit);
    const refuse = this.refusing(() => done(OVERLOADED));
    const start = bytes > LARGE_BODY_BYTES ? () => this.readInTurn(done, refuse) : () => done();
    this.take(visit, bytes, new SlotClaim(start, refuse));
  }

  enter(visit: RequestVisit, bodyBytes: number, start: () => void): void {
    const refuse = this.refusing(() => this.rules.refuse(visit.request, visit.response));
    this.take(visit, bodyBytes, new SlotClaim(start, refuse));
  }

  awaitBody(visit: RequestVisit): void {
    this.arriving.add(visit, 0);
  }

  answered(visit: RequestVisit): void {
    this.giveBack(visit);
    const { writableLength } = visit.request.socket;
    if (writableLength > 0 && !visit.isOver) this.unread.add(visit, writableLength);
  }

  left(visit: RequestVisit): void {
    this.giveBack(visit);
    this.unread.remove(visit);
  }

  /** Refuses requests that have waited too long, and cuts off clients that are too slow. */
  sweep(): void {
    for (const part of [this.slots, this.largeBodies, this.arriving, this.unread]) part.sweep();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private arrive(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const queue = this.queues.get(request.socket)!;
    const isUnreadable = isDropped(request.socket) || (queue.isBusy && !this.rules.mayAsk(request));
    if (isUnreadable) return this.cut(request.socket, queue);
    if (request.rawHeaders.length > 2 * MOST_HEADERS) return this.rules.refuseHead(request, response);
    const visit = new RequestVisit(this, queue, request, response, listener);
    if (!queue.arrive(visit)) this.cut(request.socket, queue);
  }

  private cut(socket: Socket, queue: ConnectionQueue): void {
    queue.close();
    socket.destroy();
  }

  /** Room for its body, and a slot; nobody waits for the answer to one that is over. */
  private take(visit: RequestVisit, bytes: number, claim: SlotClaim): void {
    if (visit.isOver) return;
    if (this.keptBytes + bytes > this.rules.maxBodyBytes) return claim.refuse();
    this.keptBytes += visit.keptBytes = bytes;
    visit.claim = claim;
    this.slots.take(claim);
  }

  private refusing(refuse: () => void): () => void {
    return () => {
      this.rules.countRefused();
      refuse();
    };
  }

  private readInTurn(done: () => void, refuse: () => void): void {
    const turn: SlotClaim = new SlotClaim(() => {
      setImmediate(() => this.largeBodies.giveBack(turn));
      done();
    }, refuse);
    this.largeBodies.take(turn);
  }

  private giveBack(visit: RequestVisit): void {
    if (visit.claim) this.slots.giveBack(visit.claim);
    this.arriving.remove(visit);
    this.keptBytes -= visit.keptBytes;
    visit.keptBytes = 0;
  }
}
