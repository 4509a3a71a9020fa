import type { AnswerVerdict, Answered, Sender } from '../sending/sender.js';
import type { DeliveryWindow, WindowEvent } from './delivery-window.js';
import { EVENTS_PER_REQUEST, eventRequest } from './event-request.js';
import type { Lease, LeasedEndpoint } from './lease.js';

/**
 * How the delivery of a window ended: done as far as it goes, or for a reason that concerns all of
 * it.
 */
export type WindowEnd =
  | { readonly kind: 'done' | 'lost' | 'stopped' }
  | { readonly kind: 'down' | 'gone'; readonly error: string };

/** The outcome of a request, for logs and metrics. */
export type DeliveryOutcome = AnswerVerdict | 'set-aside';

/** Called after every request with the number of its events and its outcome. */
type OnAnswer = (outcome: DeliveryOutcome, events: number, code: string | null) => void;

/** When to end: begin nothing more, and give up what is under way. */
export interface DeliveryStop {
  readonly closing: AbortSignal;
  readonly lettingGo: AbortSignal;
}

/** Events in a row that may be set aside before the endpoint is paused (E8). */
export const MOST_SET_ASIDE = 100;

/** States whose events are sent at the same time (E8). */
const AT_ONCE = 8;

/** Delivers what waits of one window, to one endpoint. */
export class WindowDelivery {
  private readonly start = performance.now();
  private end: WindowEnd = { kind: 'done' };

  constructor(
    private readonly endpoint: LeasedEndpoint,
    private readonly window: DeliveryWindow,
    private readonly sender: Sender,
    private readonly lease: Lease,
    private readonly stop: DeliveryStop,
    private readonly onAnswer: OnAnswer,
  ) {}

  /**
   * Leaves the outcome of each event in the window. Throws when the lease cannot be read from the
   * database.
   */
  async run(): Promise<WindowEnd> {
    const queue = this.endpoint.format === 'standard' ? this.byState() : [this.window.waiting];
    const runs = Array.from({ length: Math.min(AT_ONCE, queue.length) }, () => this.drain(queue));
    const ends = await Promise.allSettled(runs);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return this.end;
  }

  private byState(): (readonly WindowEvent[])[] {
    const states = new Map<string, WindowEvent[]>();
    for (const event of this.window.waiting)
      states.set(event.state, [...(states.get(event.state) ?? []), event]);
    return [...states.values()];
  }

  private async drain(queue: (readonly WindowEvent[])[]): Promise<void> {
    for (let next = queue.shift(); next && this.goesOn; next = queue.shift())
      await this.deliverInTurn(next);
  }

  private get goesOn(): boolean {
    if (this.stop.closing.aborted) this.end = { kind: 'stopped' };
    return this.end.kind === 'done' && this.window.setAsideInARow < MOST_SET_ASIDE;
  }

  /** One request after the other; events behind a refused one of the same state wait with it. */
  private async deliverInTurn(events: readonly WindowEvent[]): Promise<void> {
    const held = new Set<string>();
    const most = EVENTS_PER_REQUEST[this.endpoint.format];
    for (let at = 0; at < events.length && this.goesOn; at += most) {
      const batch = events.slice(at, at + most).filter((event) => this.isFree(event, held));
      if (batch.length > 0) await this.send(batch, held);
    }
  }

  private isFree(event: WindowEvent, held: Set<string>): boolean {
    if (held.has(event.state)) return false;
    const isDue = this.window.isDue(event, this.nowMs);
    if (!isDue) held.add(event.state);
    return isDue;
  }

  private async send(batch: readonly WindowEvent[], held: Set<string>): Promise<void> {
    if (!(await this.lease.isHeld())) return this.lose();
    const events = batch.map(({ event }) => event);
    const request = eventRequest(this.endpoint, events, this.nowMs);
    const answered = await this.sender.send(request, this.stop.lettingGo);
    if (!answered) this.end = { kind: 'stopped' };
    else if (answered.verdict === 'refused' && batch.length > 1) await this.halve(batch, held);
    else this.settle(batch, answered, held);
  }

  private lose(): void {
    this.lease.lose();
    this.end = { kind: 'lost' };
  }

  private settle(
    batch: readonly WindowEvent[],
    { verdict, error, code }: Answered,
    held: Set<string>,
  ): void {
    const isSetAside = verdict === 'refused' && this.refuse(batch[0]!, error ?? '', held);
    if (verdict === 'delivered') for (const event of batch) this.window.deliver(event);
    else if (verdict !== 'refused') this.end = { kind: verdict, error: error ?? '' };
    this.onAnswer(isSetAside ? 'set-aside' : verdict, batch.length, code);
  }

  /** So that an event which the receiver refuses does not hold back others (E8). */
  private async halve(batch: readonly WindowEvent[], held: Set<string>): Promise<void> {
    const middle = batch.length >> 1;
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      const free = half.filter((event) => !held.has(event.state));
      if (free.length > 0 && this.goesOn) await this.send(free, held);
    }
  }

  private refuse(event: WindowEvent, error: string, held: Set<string>): boolean {
    const isSetAside = this.window.refuse(event, error, this.nowMs);
    if (!isSetAside) held.add(event.state);
    return isSetAside;
  }

  /** By the clock of the database, as far as it is known. */
  private get nowMs(): number {
    return this.endpoint.nowMs + (performance.now() - this.start);
  }
}
