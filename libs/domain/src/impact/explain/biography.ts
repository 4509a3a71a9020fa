import type { Cause, Change, FlowEvent, FlowState, Uid } from '../../engine/index.js';

export interface RecordedEvent {
  readonly version: number;
  readonly at: Date;
  readonly event: FlowEvent;
  /** Where it came from, on events that tell it: `read`, `request`, `trigger`, `operator`. */
  readonly origin: string | null;
}

/** When something came to be as it is, and by which event. */
export type Since = Pick<RecordedEvent, 'at' | 'origin'> & { readonly cause: Cause };

type Flag = 'started' | 'stopped' | 'finished';

/**
 * Since when a user is where they are, read off the events of all versions that their state came through. What happened
 * before the last clearing is forgotten, as in the state itself.
 */
export class Biography {
  readonly flags = new Map<Flag, Since>();
  readonly active = new Map<Uid, Date>();
  readonly outcomes = new Map<Uid, { outcome: boolean; at: Date }>();

  constructor(events: readonly RecordedEvent[]) {
    for (const recorded of events) this.add(recorded);
  }

  private add(recorded: RecordedEvent): void {
    const { cause, changes } = recorded.event;
    const before = new Map(this.flags);
    // A migration that carries nothing over begins afresh, but may keep the flags.
    if (cause.kind === 'migrated' && !changes.some(({ kind }) => kind === 'carried')) this.clear();
    for (const change of changes) this.apply(change, recorded, before);
  }

  private apply(change: Change, { at, origin, event: { cause } }: RecordedEvent, before: ReadonlyMap<Flag, Since>): void {
    switch (change.kind) {
      case 'cleared':
        return this.clear();
      case 'carried':
        return this.carry(change.state, at);
      case 'flow':
        return this.setFlags(change, { at, origin, cause }, before);
      case 'entered':
        return void this.active.set(change.block, at);
      case 'exited':
      case 'deactivated':
      case 'dropped':
        return void this.active.delete(change.block);
      case 'branched':
        return void this.outcomes.set(change.block, { outcome: change.outcome, at });
      default:
        return;
    }
  }

  private setFlags(change: Extract<Change, { kind: 'flow' }>, since: Since, before: ReadonlyMap<Flag, Since>): void {
    const isKept = since.cause.kind === 'migrated' && change.stopped !== undefined && change.finished !== undefined;
    for (const flag of ['started', 'stopped', 'finished'] as const) {
      if (change[flag] === true) this.flags.set(flag, (isKept && before.get(flag)) || since);
      if (change[flag] === false) this.flags.delete(flag);
    }
  }

  private carry({ blocks }: FlowState, at: Date): void {
    for (const uid of this.active.keys()) if (!blocks[uid]?.active) this.active.delete(uid);
    for (const uid of Object.keys(blocks)) if (blocks[uid]!.active && !this.active.has(uid)) this.active.set(uid, at);
  }

  private clear(): void {
    this.flags.clear();
    this.active.clear();
    this.outcomes.clear();
  }
}
