import type { Change, FlowEvent, Uid } from '../../engine/index.js';

/** When a block was first entered and first left, in milliseconds since 1970. */
interface Visit {
  readonly entered: number;
  left?: number;
}

/** How one user went through a flow since the last clearing, as far as events tell it (E13). */
export class Course {
  readonly visits = new Map<Uid, Visit>();
  readonly outcomes = new Map<Uid, Set<boolean>>();

  /** Takes events in their order. */
  add(at: number, { cause, changes }: FlowEvent): void {
    // A migration that carries nothing over begins afresh, in a version of its own.
    if (cause.kind === 'migrated' && !changes.some(({ kind }) => kind === 'carried')) this.clear();
    for (const change of changes) this.apply(at, change);
  }

  private apply(at: number, change: Change): void {
    if (change.kind === 'cleared') this.clear();
    if (change.kind === 'entered' && !this.visits.has(change.block)) this.visits.set(change.block, { entered: at });
    if (change.kind === 'exited') this.leave(at, change.block);
    // An item whose container is entered again begins afresh (S24).
    if (change.kind === 'dropped') this.visits.delete(change.block);
    if (change.kind === 'branched') this.outcomesOf(change.block).add(change.outcome);
  }

  private leave(at: number, block: Uid): void {
    const visit = this.visits.get(block);
    if (visit) visit.left ??= at;
  }

  private outcomesOf(block: Uid): Set<boolean> {
    const known = this.outcomes.get(block);
    if (known) return known;
    const outcomes = new Set<boolean>();
    this.outcomes.set(block, outcomes);
    return outcomes;
  }

  private clear(): void {
    this.visits.clear();
    this.outcomes.clear();
  }
}
