import { DomainError } from './errors/index.js';
import {
  isConflict,
  isLockedOut,
  isServerLost,
  mayHaveCommitted,
} from './errors/database-failure.js';

export interface BatchLimits {
  /** Statements in flight at once. */
  readonly maxInFlight: number;
  /**
   * While a statement is in flight, another one is sent when it has that many rows, or after so
   * many milliseconds.
   */
  readonly enoughRows: number;
  readonly maxWaitMs: number;
  /** Rows and characters of one statement; a single item may be larger. */
  readonly rows: number;
  readonly characters: number;
  /** Items and characters that may wait; one more is refused with `service.overloaded`. */
  readonly waiting: number;
  readonly waitingCharacters: number;
  /** Milliseconds an item may wait for its turn. */
  readonly patienceMs: number;
  /**
   * Items must not be written twice: a statement that may have been committed is not sent again,
   * whole or in part.
   */
  readonly sendsOnce?: boolean;
}

/** How much of a statement an item fills. */
interface Weight {
  readonly rows: number;
  readonly characters: number;
}

const ONE_ROW: Weight = { rows: 1, characters: 0 };

interface Entry<Item, Result> extends Weight {
  readonly item: Item;
  readonly since: number;
  /** When it is no longer worth sending. */
  readonly until: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs one statement for all items that arrive while others are in flight, and settles each only
 * when the statement that holds it is done, and with it its commit (U7). Items that fail a
 * statement are retried alone, so that one never fails its neighbours.
 */
export class Batcher<Item, Result = void> {
  private waiting: Entry<Item, Result>[] = [];
  private waitingRows = 0;
  private waitingCharacters = 0;
  private inFlight = 0;
  /** Entries to be retried alone, and how many are being retried just now. */
  private readonly toRetry: Entry<Item, Result>[] = [];
  private retrying = 0;
  private isScheduled = false;
  private waitTimer?: NodeJS.Timeout;

  constructor(
    /** Runs one statement; what it answers, if anything, in the order of the items. */
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[] | void>,
    private readonly limits: BatchLimits,
  ) {}

  /**
   * Resolves with the item's result; rejects with the failure of its own run,
   * `database.unavailable` included. It is not sent after `until`, as `performance.now()` has it.
   */
  add(
    item: Item,
    { rows, characters }: Weight = ONE_ROW,
    until = performance.now() + this.limits.patienceMs,
  ): Promise<Result> {
    if (this.isFull(characters)) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const since = performance.now();
      this.waiting.push({ item, rows, characters, since, until, resolve, reject });
      this.waitingRows += rows;
      this.waitingCharacters += characters;
      this.schedule();
    });
  }

  private isFull(characters: number): boolean {
    const { waiting, waitingCharacters } = this.limits;
    return (
      this.waiting.length >= waiting ||
      (this.waiting.length > 0 && this.waitingCharacters + characters > waitingCharacters)
    );
  }

  /**
   * All that arrives in one turn of the event loop shares a statement; beside another one,
   * `enoughRows` or `maxWaitMs` decide.
   */
  private schedule(): void {
    if (this.isScheduled || this.inFlight >= this.limits.maxInFlight) return;
    if (this.inFlight > 0 && !this.isWorthAStatement()) return this.waitForMore();
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.rejectLate();
      if (this.waiting.length > 0) void this.send(this.take());
    });
  }

  private isWorthAStatement(): boolean {
    return this.waitingRows >= this.limits.enoughRows || this.waitedMs() >= this.limits.maxWaitMs;
  }

  private waitForMore(): void {
    this.waitTimer ??= setTimeout(() => {
      this.waitTimer = undefined;
      if (this.waiting.length > 0) this.schedule();
    }, this.limits.maxWaitMs - this.waitedMs());
  }

  private waitedMs(): number {
    return performance.now() - this.waiting[0]!.since;
  }

  private async send(entries: Entry<Item, Result>[]): Promise<void> {
    this.inFlight++;
    if (this.waiting.length > 0) this.schedule();
    await this.settle(entries);
    this.inFlight--;
    if (this.waiting.length > 0) this.schedule();
  }

  /** The oldest entries that fit into one statement, at least one. */
  private take(): Entry<Item, Result>[] {
    let count = 0;
    let rows = 0;
    let characters = 0;
    for (const entry of this.waiting) {
      rows += entry.rows;
      characters += entry.characters;
      if (count > 0 && (rows > this.limits.rows || characters > this.limits.characters)) break;
      count++;
    }
    return this.dequeue(count);
  }

  private rejectLate(): void {
    const inTime = this.waiting.findIndex((entry) => !this.isLate(entry));
    for (const entry of this.dequeue(inTime < 0 ? this.waiting.length : inTime))
      entry.reject(overloaded());
  }

  private dequeue(count: number): Entry<Item, Result>[] {
    const dequeued = this.waiting.splice(0, count);
    for (const { rows, characters } of dequeued) {
      this.waitingRows -= rows;
      this.waitingCharacters -= characters;
    }
    return dequeued;
  }

  /** Settles every entry; never throws. */
  private async settle(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(entries.map(({ item }) => item));
      entries.forEach((entry, index) => entry.resolve(results?.[index] as Result));
    } catch (error) {
      await this.isolate(entries, error);
    }
  }

  private async isolate(entries: readonly Entry<Item, Result>[], error: unknown): Promise<void> {
    if (isOutage(error)) return this.rejectAll(entries, error);
    if (this.limits.sendsOnce && mayHaveCommitted(error)) return rejectEach(entries, error);
    const [first] = entries as [Entry<Item, Result>];
    if (entries.length === 1 && !(isLockedOut(error) && !this.isLate(first)))
      return first.reject(error);
    // Behind a lock every try costs a timeout: each entry goes on by itself, for as long as it may
    // wait.
    if (isConflict(error)) return this.retryAlone(entries);
    await Promise.all(halves(entries).map((part) => this.settle(part)));
  }

  /** Few at a time, so that others find a connection, and none whose time is over. */
  private retryAlone(entries: readonly Entry<Item, Result>[]): void {
    this.toRetry.push(...entries);
    while (this.retrying < MAX_RETRYING && this.toRetry.length > 0) void this.retryNext();
  }

  private async retryNext(): Promise<void> {
    this.retrying++;
    for (let entry = this.toRetry.shift(); entry; entry = this.toRetry.shift()) {
      if (this.isLate(entry)) entry.reject(overloaded());
      else await this.settle([entry]);
    }
    this.retrying--;
  }

  private isLate({ until }: Entry<Item, Result>): boolean {
    return performance.now() >= until;
  }

  /** Fails waiting items at once: the database is down. */
  private rejectAll(entries: readonly Entry<Item, Result>[], error: unknown): void {
    rejectEach([...entries, ...this.dequeue(this.waiting.length)], error);
  }
}

function rejectEach<Item, Result>(entries: readonly Entry<Item, Result>[], error: unknown): void {
  for (const entry of entries) entry.reject(error);
}

/** Entries that are retried alone at the same time, of a pool of usually 10 connections. */
const MAX_RETRYING = 6;

const overloaded = (): DomainError =>
  new DomainError(
    'service.overloaded',
    'the database has more to do than it can take just now, please try again',
  );

const halves = <T>(list: readonly T[]): T[][] => [
  list.slice(0, list.length >> 1),
  list.slice(list.length >> 1),
];

/**
 * A server that is lost behind another one has only some of the rows: requests for other rows go on
 * (G4).
 */
const isOutage = (error: unknown): boolean =>
  error instanceof DomainError &&
  error.code === 'database.unavailable' &&
  !isConflict(error) &&
  !isServerLost(error);
