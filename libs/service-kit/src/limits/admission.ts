import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@waymark/domain/database/errors';
import { type AdmissionSteps, lifecycleOf, RequestLifecycle } from './request-lifecycle.js';
import { QueuedRequest, Slots, type SlotRules } from './slots.js';
import { SlowClientBudget } from './slow-client-budget.js';

interface AdmissionRules extends SlotRules {
  /** Bytes of bodies in memory: of those that are arriving, and of those that are worked on. */
  readonly maxBodyBytes: number;
  /** Bytes of answers that wait for clients to read them, and for how many milliseconds. */
  readonly maxUnreadBytes: number;
  readonly readTimeoutMs: number;
  /** Whether the request is answered at any time, past the admission. */
  bypasses(request: IncomingMessage): boolean;
  /** Whether its client asks too often. */
  isLimited(request: IncomingMessage): boolean;
  /** Both answer without the framework, since such answers must cost little. */
  refuseLimited(request: IncomingMessage, response: ServerResponse): void;
  refuseOverload(request: IncomingMessage, response: ServerResponse): void;
  /** Called for every request that is refused because too many are under way. */
  onOverload(): void;
  /** Called for a connection that is cut because it sent too much ahead. */
  onCut(socket: Socket): void;
}

/** Bodies that may be arriving at once: the connection of each is one open file. */
const MOST_ARRIVING = 5_000;
const ARRIVAL_MS = 120_000;
const SWEEP_MS = 25;

/** The refusal of a request too many. */
export const OVERLOADED = new DomainError(
  'service.overloaded',
  'too many requests are under way, please try again',
);

/**
 * Bounds what is worked on at once (`Slots`) and what slow clients hold in memory
 * (`SlowClientBudget`). A request takes a slot once it is whole and releases it when its answer is
 * written or its connection ends, whichever comes first.
 */
export class Admission implements AdmissionSteps {
  private readonly slots: Slots;
  private readonly arriving: SlowClientBudget<RequestLifecycle>;
  private readonly unread: SlowClientBudget<RequestLifecycle>;
  private keptBytes = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly rules: AdmissionRules,
    now: () => number = () => performance.now(),
  ) {
    this.slots = new Slots(rules, now);
    const bodies = { count: MOST_ARRIVING, bytes: rules.maxBodyBytes, ms: ARRIVAL_MS };
    this.arriving = new SlowClientBudget(bodies, (slow) => this.refuseBody(slow), now);
    const answers = { count: Infinity, bytes: rules.maxUnreadBytes, ms: rules.readTimeoutMs };
    this.unread = new SlowClientBudget(answers, ({ request }) => request.socket.destroy(), now);
    this.timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /** Requests that are worked on. */
  get running(): number {
    return this.slots.running;
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.slots.waiting;
  }

  /** Requests whose body is still arriving, and answers that are still being read. */
  get slowClients(): number {
    return this.arriving.size + this.unread.size;
  }

  /** Calls the listener when it is the request's turn, or answers it. */
  handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    new RequestLifecycle(this, request, response, listener).arrive();
  }

  /** Milliseconds that a request waited for a slot. */
  waitedMs(request: IncomingMessage): number {
    return lifecycleOf(request)?.queued?.waitedMs ?? 0;
  }

  /** Bytes of the body have arrived. */
  bodyGrew(request: IncomingMessage, bytes: number): void {
    const one = lifecycleOf(request);
    if (one && !one.queued) this.arriving.add(one, bytes);
  }

  /** The body is there: calls back when it may be worked on, or with `service.overloaded`. */
  bodyArrived(request: IncomingMessage, bytes: number, done: (error?: Error) => void): void {
    const one = lifecycleOf(request);
    if (!one || one.queued) return done();
    this.arriving.remove(one);
    this.take(one, bytes, done, () => done(OVERLOADED));
  }

  begin(one: RequestLifecycle): void {
    const { request, response } = one;
    if (this.rules.bypasses(request)) one.run();
    else if (this.rules.isLimited(request)) this.rules.refuseLimited(request, response);
    else if (!hasBody(request)) this.enter(one, 0);
    // Most bodies come together with their head: these are there at the next tick.
    else process.nextTick(() => this.beginWithBody(one));
  }

  answered(one: RequestLifecycle): void {
    this.release(one);
    const { writableLength } = one.request.socket;
    if (writableLength > 0 && !one.isOver) this.unread.add(one, writableLength);
  }

  left(one: RequestLifecycle): void {
    this.release(one);
    this.unread.remove(one);
  }

  cut(socket: Socket): void {
    this.rules.onCut(socket);
    socket.destroy();
  }

  /** Refuses requests that have waited too long, and drops clients that are too slow. */
  sweep(): void {
    for (const part of [this.slots, this.arriving, this.unread]) part.sweep();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private beginWithBody(one: RequestLifecycle): void {
    const { request } = one;
    if (isWhole(request)) return this.enter(one, Number(request.headers['content-length'] ?? 0));
    if (request.destroyed) return;
    this.arriving.add(one, 0);
    one.run();
  }

  private enter(one: RequestLifecycle, bodyBytes: number): void {
    const refuse = () => this.rules.refuseOverload(one.request, one.response);
    this.take(one, bodyBytes, () => one.run(), refuse);
  }

  /** Takes memory for the body, and a slot. */
  private take(one: RequestLifecycle, bytes: number, start: () => void, refuse: () => void): void {
    if (one.isOver) return;
    const queued = new QueuedRequest(start, () => {
      this.rules.onOverload();
      refuse();
    });
    if (this.keptBytes + bytes > this.rules.maxBodyBytes) return queued.refuse();
    this.keptBytes += one.keptBytes = bytes;
    one.queued = queued;
    this.slots.take(queued);
  }

  private release(one: RequestLifecycle): void {
    if (one.queued) this.slots.release(one.queued);
    this.arriving.remove(one);
    this.keptBytes -= one.keptBytes;
    one.keptBytes = 0;
  }

  /** The body takes too long, or too much memory. */
  private refuseBody({ request, response }: RequestLifecycle): void {
    if (response.headersSent) return void request.socket.destroy();
    response.setHeader('connection', 'close');
    this.rules.refuseOverload(request, response);
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Node says `complete` only after the tick that follows the last bytes. */
const isWhole = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength === Number(request.headers['content-length']);
