import { invalidRequest } from '../../database/errors/index.js';
import {
  compile,
  EMPTY_STATE,
  EngineError,
  type FlowEvent,
  fold,
  type FlowState,
  partsOf,
} from '../../engine/index.js';
import { differencesOf } from './compare-states.js';
import {
  type EventLine,
  type HistoryLine,
  parseHistoryLine,
  type StateLine,
  type VersionLine,
} from './history-line.js';

/** What this release makes of a version or a state otherwise than the one that recorded it. */
export interface HistoryDifference {
  /** As the file calls them; null for a version that this release cannot run. */
  readonly user: string | null;
  readonly version: number;
  readonly revision: number | null;
  /** A sentence for each place. */
  readonly places: readonly string[];
}

export interface ReplayedHistories {
  readonly flow: string;
  /** The release that recorded. */
  readonly release: string;
  readonly users: number;
  readonly states: number;
  readonly events: number;
  /** States whose events give a state again, of which `differing` give another one. */
  readonly compared: number;
  /** States whose first events were deleted, from which nothing can be folded. */
  readonly pruned: number;
  readonly differing: number;
  /** The first of them, and of versions. */
  readonly differences: readonly HistoryDifference[];
}

/** Differences that are listed one by one: a fold that is wrong is wrong for everybody. */
const MOST_TOLD = 100;
/** Events that are in memory at once. */
const BATCH = 1_000;

/**
 * Folds exported histories with this release, without a database, and compares with the states that
 * were stored. Throws `request.invalid` for what is no such file, or was cut.
 */
export async function replayHistories(
  lines: AsyncIterable<string>,
  onProgress?: (states: number) => void,
): Promise<ReplayedHistories> {
  const replay = new Replay();
  let number = 0;
  for await (const text of lines) {
    replay.take(parseHistoryLine(text, ++number), number);
    if (number % BATCH === 0) onProgress?.(replay.states);
  }
  return replay.end();
}

class Replay {
  states = 0;
  private users = 0;
  private events = 0;
  private compared = 0;
  private pruned = 0;
  private differing = 0;
  private readonly differences: HistoryDifference[] = [];
  private head: Pick<ReplayedHistories, 'flow' | 'release'> | undefined;
  private lastUser: string | undefined;
  private open: OpenState | undefined;
  private isEnded = false;
  /** Of all versions, as a state may know blocks that its version has no more. */
  private readonly names = new Map<string, string>();

  take(line: HistoryLine, number: number): void {
    const isExpected = (line.kind === 'histories') === (number === 1) && !this.isEnded;
    if (!isExpected) throw invalidRequest(`line ${number} is out of place: ${line.kind}`);
    switch (line.kind) {
      case 'histories':
        return this.begin(line);
      case 'event':
        return this.takeEvent(line, number);
      case 'version':
        return this.takeVersion(line);
      case 'state':
        return this.takeState(line);
      case 'end':
        return this.takeEnd(line);
    }
  }

  end(): ReplayedHistories {
    if (!this.head || !this.isEnded)
      throw invalidRequest('the file has no end: it was cut; export it again');
    const { users, states, events, compared, pruned, differing, differences } = this;
    return { ...this.head, users, states, events, compared, pruned, differing, differences };
  }

  private begin({ format, flow, release }: Extract<HistoryLine, { kind: 'histories' }>): void {
    if (Number(format) !== 1)
      throw invalidRequest(`the file is of format ${String(format)}; this release reads format 1`);
    this.head = { flow, release };
  }

  private takeVersion({ version, definition }: VersionLine): void {
    this.finish();
    try {
      compile(definition);
      for (const { uid, id } of partsOf(definition)) this.names.set(uid, id);
    } catch (error) {
      this.report({
        user: null,
        version,
        revision: null,
        places: [`does not run: ${messageOf(error)}`],
      });
    }
  }

  private takeState(line: StateLine): void {
    this.finish();
    if (line.user !== this.lastUser) this.users++;
    this.lastUser = line.user;
    this.states++;
    this.open = new OpenState(line);
  }

  private takeEvent(line: EventLine, number: number): void {
    if (!this.open) throw invalidRequest(`line ${number} is an event without its state`);
    this.events++;
    this.open.add(line);
  }

  private takeEnd(line: Extract<HistoryLine, { kind: 'end' }>): void {
    this.finish();
    const { users, states, events } = this;
    if (line.users !== users || line.states !== states || line.events !== events)
      throw invalidRequest('the file was changed: it has not as many lines as its end says');
    this.isEnded = true;
  }

  private finish(): void {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    if (open.isPruned) return void this.pruned++;
    this.compared++;
    const places = open.compare((uid) => this.names.get(uid) ?? uid);
    const { user, version, revision } = open.line;
    if (places.length > 0) this.report({ user, version, revision, places });
  }

  private report(difference: HistoryDifference): void {
    this.differing++;
    if (this.differences.length < MOST_TOLD) this.differences.push(difference);
  }
}

/** A state whose events are being read. */
class OpenState {
  private folded: FlowState = EMPTY_STATE;
  private waiting: FlowEvent[] = [];
  private first: number | undefined;
  private last = 0;
  /** Why the events cannot be folded any more. */
  private problem: string | undefined;

  constructor(readonly line: StateLine) {}

  get isPruned(): boolean {
    return this.first !== 1;
  }

  add({ revision, format, cause, changes }: EventLine): void {
    this.first ??= revision;
    if (!this.isPruned && revision !== this.last + 1)
      this.problem ??= `the event of revision ${this.last + 1} is missing`;
    this.last = revision;
    if (this.isPruned || this.problem) return;
    this.waiting.push({ format, cause, changes } as FlowEvent);
    if (this.waiting.length >= BATCH) this.fold();
  }

  /** What differs, in a sentence for each place. */
  compare(nameOf: (uid: string) => string): string[] {
    this.fold();
    if (!this.problem && this.last !== this.line.revision)
      this.problem = `the events end at revision ${this.last}`;
    if (this.problem) return [this.problem];
    return differencesOf(this.line.state, this.folded, nameOf);
  }

  private fold(): void {
    if (this.problem) return;
    try {
      this.folded = fold(this.waiting, this.folded);
    } catch (error) {
      this.problem = `folding fails: ${messageOf(error)}`;
    }
    this.waiting = [];
  }
}

/**
 * Errors of the engine are sentences; anything else that is thrown is a fault of this release, and
 * reported by its kind too.
 */
const messageOf = (error: unknown): string =>
  error instanceof EngineError ? error.message : String(error);
