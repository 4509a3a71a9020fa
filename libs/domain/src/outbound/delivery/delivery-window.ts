import { REFUSAL_PAUSES_MS } from '../sending/back-off.js';
import type { UnfinishedWindow } from '../endpoints/endpoint-progress.js';
import type { PublicEvent } from '../../events/reader/public-event.js';

/** An event of a window, with the state whose order it keeps. */
export interface WindowEvent {
  readonly event: PublicEvent;
  readonly userId: string;
  /** The events of one state are settled in turn. */
  readonly state: string;
}

/** An event that was refused for good. */
interface SetAside {
  readonly id: string;
  readonly user_id: string;
  readonly event: PublicEvent;
  readonly error: string;
}

/**
 * A stretch of the log that is being delivered. It remembers what of it is settled, over tries and
 * processes, and is over when everything is (E8).
 */
export class DeliveryWindow {
  readonly setAside: SetAside[] = [];
  delivered = 0;
  setAsideInARow: number;
  /** In words, where an event of this window was refused just now; null where none was. */
  lastRefusal: string | null = null;
  private readonly settled: Set<string>;
  private readonly refused: Map<string, { tries: number; nextAt: number }>;

  constructor(
    readonly events: readonly WindowEvent[],
    unfinished: UnfinishedWindow | null,
    setAsideInARow: number,
    private readonly pausesMs: readonly number[] = REFUSAL_PAUSES_MS,
  ) {
    const ids = new Set(events.map(({ event }) => event.id));
    this.settled = new Set(unfinished?.settled.filter((id) => ids.has(id)));
    this.refused = new Map(Object.entries(unfinished?.refused ?? {}).filter(([id]) => ids.has(id)));
    this.setAsideInARow = setAsideInARow;
  }

  /** The events that wait, in the order of the log. */
  get waiting(): readonly WindowEvent[] {
    return this.events.filter(({ event }) => !this.settled.has(event.id));
  }

  get isSettled(): boolean {
    return this.settled.size === this.events.length;
  }

  isDue({ event }: WindowEvent, nowMs: number): boolean {
    return (this.refused.get(event.id)?.nextAt ?? 0) <= nowMs;
  }

  deliver({ event }: WindowEvent): void {
    this.settled.add(event.id);
    this.refused.delete(event.id);
    this.delivered++;
    this.setAsideInARow = 0;
  }

  /** Whether that was the last try, so that the event is set aside. */
  refuse({ event, userId }: WindowEvent, error: string, nowMs: number): boolean {
    const tries = (this.refused.get(event.id)?.tries ?? 0) + 1;
    const pause = this.pausesMs[tries - 1];
    this.lastRefusal = error;
    if (pause !== undefined) this.refused.set(event.id, { tries, nextAt: nowMs + pause });
    else {
      this.settled.add(event.id);
      this.refused.delete(event.id);
      this.setAside.push({ id: event.id, user_id: userId, event, error });
      this.setAsideInARow++;
    }
    return pause === undefined;
  }

  /**
   * When the first refused event may be tried again, in milliseconds of 1970; undefined where none
   * waits for that.
   */
  get nextTryAt(): number | undefined {
    const times = [...this.refused.values()].map(({ nextAt }) => nextAt);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** What has to be remembered of it; null where that is nothing. */
  toUnfinished(): UnfinishedWindow | null {
    if (this.settled.size === 0 && this.refused.size === 0) return null;
    return { settled: [...this.settled], refused: Object.fromEntries(this.refused) };
  }
}
