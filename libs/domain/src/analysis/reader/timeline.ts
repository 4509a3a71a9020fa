import type { Change, FlowEvent, FlowState, Uid } from '../../engine/index.js';

/** The position of an event among those of one user in one flow. */
interface StoredEvent {
  readonly version: number;
  readonly revision: number;
  readonly event: FlowEvent;
}

/** An event that gave a former state back: that of the revision `to`. */
export interface Restore {
  readonly version: number;
  readonly revision: number;
  readonly to: number;
}

/**
 * Revisions of a version that count as if they had never been: those behind `after`, up to `upTo`.
 */
interface Undone {
  readonly version: number;
  readonly after: number;
  readonly upTo: number;
}

/**
 * What was undone by the end: where a former state was given back, what came in between, and the
 * giving back itself (I5, I6). Both are in the order of the events; `first` has the first revision
 * of each version that is still there, since a revision whose event was deleted cannot be
 * continued: the state is as the event itself says.
 */
export function findUndone(
  restores: readonly Restore[],
  first: ReadonlyMap<number, number>,
): Undone[] {
  const undone: Undone[] = [];
  for (const { version, revision, to } of restores.toReversed()) {
    const later = undone.at(-1);
    const isUndoneItself = later?.version === version && revision > later.after;
    if (!isUndoneItself && to >= (first.get(version) ?? Infinity))
      undone.push({ version, after: to, upTo: revision });
  }
  return undone.reverse();
}

type Flag = 'started' | 'stopped' | 'finished';

/**
 * How one user went through a flow, read off the events of all versions that their state came
 * through: by which event each thing came to be. Leaves out what happened before the last clearing,
 * as the state itself does, and what was undone.
 */
export class Timeline<Event extends StoredEvent> {
  readonly flags = new Map<Flag, Event>();
  /** Blocks that are active. */
  readonly active = new Map<Uid, Event>();
  /** When blocks were first entered and first left (E13). */
  readonly visits = new Map<Uid, { readonly entered: Event; left?: Event }>();
  /** Which ways branches sent the user, and the last one. */
  readonly outcomes = new Map<
    Uid,
    { readonly all: Set<boolean>; readonly last: boolean; readonly by: Event }
  >();
  /** Transitions with an answer, each time one was given (Z3). */
  readonly answers: Event[] = [];
  private passed = 0;

  /** `undone` as `findUndone` returns it; the events are added in their order. */
  constructor(private readonly undone: readonly Undone[] = []) {}

  /** Of all events of one user, by version and revision. */
  static of<Event extends StoredEvent>(events: readonly Event[]): Timeline<Event> {
    const first = new Map(
      events.toReversed().map(({ version, revision }) => [version, revision] as const),
    );
    const restores = events.flatMap(({ version, revision, event: { cause } }) =>
      cause.kind === 'restored' ? [{ version, revision, to: cause.revision }] : [],
    );
    const timeline = new Timeline<Event>(findUndone(restores, first));
    for (const event of events) timeline.add(event);
    return timeline;
  }

  /** The next event; one that was undone changes nothing. */
  add(by: Event): void {
    if (this.isUndone(by)) return;
    const { cause, changes } = by.event;
    const before = new Map(this.flags);
    // A migration that carries nothing over begins afresh, in a version of its own, but may keep
    // the flags.
    if (cause.kind === 'migrated' && cause.strategy !== 'carry-over') this.clear();
    for (const change of changes) this.apply(change, by, before);
    if (cause.kind === 'transition' && cause.data) this.answers.push(by);
  }

  private isUndone({ version, revision }: Event): boolean {
    const { undone } = this;
    const isBehind = (one: Undone): boolean =>
      version > one.version || (version === one.version && revision > one.upTo);
    while (this.passed < undone.length && isBehind(undone[this.passed]!)) this.passed++;
    const next = undone[this.passed];
    return next !== undefined && version === next.version && revision > next.after;
  }

  private apply(change: Change, by: Event, before: ReadonlyMap<Flag, Event>): void {
    switch (change.kind) {
      case 'cleared':
        return this.clear();
      case 'carried':
        return this.carry(change.state, by);
      case 'flow':
        return this.setFlags(change, by, before);
      case 'entered':
        if (!this.visits.has(change.block)) this.visits.set(change.block, { entered: by });
        return void this.active.set(change.block, by);
      case 'exited': {
        const visit = this.visits.get(change.block);
        if (visit) visit.left ??= by;
        return void this.active.delete(change.block);
      }
      case 'deactivated':
        return void this.active.delete(change.block);
      case 'dropped':
        // An item whose container is entered again begins afresh (S24).
        this.visits.delete(change.block);
        return void this.active.delete(change.block);
      case 'branched': {
        const all = this.outcomes.get(change.block)?.all ?? new Set();
        const last = change.outcome;
        return void this.outcomes.set(change.block, { all: all.add(last), last, by });
      }
      default:
        return;
    }
  }

  private setFlags(
    change: Extract<Change, { kind: 'flow' }>,
    by: Event,
    before: ReadonlyMap<Flag, Event>,
  ): void {
    const isKept =
      by.event.cause.kind === 'migrated' &&
      change.stopped !== undefined &&
      change.finished !== undefined;
    for (const flag of ['started', 'stopped', 'finished'] as const) {
      if (change[flag] === true) this.flags.set(flag, (isKept && before.get(flag)) || by);
      if (change[flag] === false) this.flags.delete(flag);
    }
  }

  private carry({ blocks }: FlowState, by: Event): void {
    for (const uid of this.active.keys()) if (!blocks[uid]?.active) this.active.delete(uid);
    for (const uid of Object.keys(blocks))
      if (blocks[uid]!.active && !this.active.has(uid)) this.active.set(uid, by);
  }

  private clear(): void {
    for (const known of [this.flags, this.active, this.visits, this.outcomes]) known.clear();
    this.answers.length = 0;
  }
}
