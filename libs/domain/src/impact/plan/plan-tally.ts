import type { Outlook } from './foresee.js';
import type { Plan, PlanExample, PlannedUsers } from './plan.js';

type What = PlanExample['what'];

/** Adds up what happens to users under one strategy. */
export class PlanTally {
  private total = 0;
  private kept = 0;
  private dependsOnGroup = 0;
  private readonly happened = { restarted: 0, stopped: 0, finished: 0 };
  private readonly entries = { enter: 0, leave: 0 };
  private readonly lost = new Map<string, number>();
  private readonly gates = new Map<string, number>();
  private readonly effects = new Map<string, number>();
  private readonly examples = new Map<string, PlanExample & { users: string[] }>();

  constructor(
    /** Identifiers of blocks by uid, those of older versions too. */
    private readonly nameOf: (uid: string) => string,
    /** How many users are named for each thing that happens. */
    private readonly mostExamples: number,
  ) {}

  /** So many users to whom the same happens, some of whom are named. */
  add(outlook: Outlook, users: number, identifiers: readonly string[]): void {
    if (!outlook.met) return;
    this.total += users;
    const lost = new Set(outlook.lost.map(this.nameOf));
    if (!outlook.restarted && !outlook.stopped && !outlook.finished && lost.size === 0) this.kept += users;
    for (const what of ['restarted', 'stopped', 'finished'] as const) {
      if (!outlook[what]) continue;
      this.happened[what] += users;
      this.name(what, identifiers);
    }
    for (const block of lost) {
      raise(this.lost, block, users);
      this.name('lost', identifiers, block);
    }
    for (const gate of new Set(outlook.gates)) raise(this.gates, this.nameOf(gate), users);
    for (const { block } of outlook.effects) this.addEffect(this.nameOf(block), users);
  }

  /** What a triggered flow would fire in its turn. */
  addEffect(block: string, users = 1): void {
    raise(this.effects, block, users);
  }

  addEntry(what: 'enter' | 'leave', identifiers: readonly string[]): void {
    this.entries[what]++;
    this.name(what, identifiers);
  }

  /** A user who counts as others do, but for whom a named group would make a difference. */
  addDependent(): void {
    this.dependsOnGroup++;
  }

  result(): Pick<Plan, 'users' | 'effects' | 'examples'> & { entries: NonNullable<Plan['entries']> } {
    const { total, kept, dependsOnGroup } = this;
    const users: PlannedUsers = {
      ...{ total, kept, ...this.happened },
      lost: Object.fromEntries(this.lost),
      gates: Object.fromEntries(this.gates),
      dependsOnGroup,
    };
    return {
      users,
      effects: Object.fromEntries(this.effects),
      entries: { ...this.entries },
      examples: [...this.examples.values()],
    };
  }

  private name(what: What, identifiers: readonly string[], block?: string): void {
    if (this.mostExamples === 0) return;
    const key = `${what} ${block ?? ''}`;
    const example = this.examples.get(key) ?? { what, ...(block !== undefined && { block }), users: [] };
    this.examples.set(key, example);
    example.users.push(...identifiers.slice(0, this.mostExamples - example.users.length));
  }
}

function raise(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
