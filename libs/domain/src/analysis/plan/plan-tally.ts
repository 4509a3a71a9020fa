import type { MigrationImpact } from './evaluate.js';
import type { Plan, PlanExample, PlannedUsers } from './plan.js';

type What = PlanExample['what'];

/** Users to whom the same happens. */
export interface CountedUsers {
  readonly users: number;
  identifiers(): readonly string[];
}

/** Adds up what happens to users under one strategy. */
export class PlanTally {
  private total = 0;
  private kept = 0;
  private dependsOnGroup = 0;
  private readonly happened = { restarted: 0, stopped: 0, finished: 0 };
  private losing = 0;
  private readonly entries = { enter: 0, leave: 0 };
  private readonly lost = new Map<string, number>();
  private readonly gates = new Map<string, number>();
  private readonly ways = new Map<string, number>();
  private readonly delays = new Map<string, number>();
  private readonly effects = new Map<string, number>();
  private readonly examples = new Map<string, PlanExample & { users: string[] }>();

  constructor(
    /** Identifiers of blocks by uid, those of older versions too. */
    private readonly nameOf: (uid: string) => string,
    /** How many users are named for each thing that happens. */
    private readonly mostExamples: number,
    /** Delays whose time is another than before. */
    private readonly changedDelays: ReadonlySet<string>,
  ) {}

  add(impact: MigrationImpact, who: CountedUsers): void {
    if (!impact.met) return;
    const { users } = who;
    this.total += users;
    const lost = new Set(impact.lost.map(this.nameOf));
    if (!impact.restarted && !impact.stopped && !impact.finished && lost.size === 0)
      this.kept += users;
    for (const what of ['restarted', 'stopped', 'finished'] as const) {
      if (!impact[what]) continue;
      this.happened[what] += users;
      this.name(what, who);
    }
    if (lost.size > 0) this.losing += users;
    for (const block of lost) {
      raise(this.lost, block, users);
      this.name('lost', who, block);
    }
    for (const gate of new Set(impact.gates)) raise(this.gates, this.nameOf(gate), users);
    for (const { split, way } of impact.ways)
      raise(this.ways, `${this.nameOf(split)}:${way}`, users);
    for (const delay of impact.waiting)
      if (this.changedDelays.has(delay)) raise(this.delays, this.nameOf(delay), users);
    for (const { block } of impact.effects) raise(this.effects, this.nameOf(block), users);
  }

  /** What a triggered flow would fire in its turn. */
  addEffect(block: string): void {
    raise(this.effects, block, 1);
  }

  addEntry(what: 'enter' | 'leave', who: CountedUsers): void {
    this.entries[what] += who.users;
    this.name(what, who);
  }

  /** A user whose outcome depends on the group that the application names. */
  addDependent(): void {
    this.dependsOnGroup++;
  }

  result(): Pick<Plan, 'users' | 'effects' | 'examples'> & {
    entries: NonNullable<Plan['entries']>;
  } {
    const { total, kept, losing, dependsOnGroup } = this;
    const users: PlannedUsers = {
      ...{ total, kept, ...this.happened, losing },
      lost: Object.fromEntries(this.lost),
      gates: Object.fromEntries(this.gates),
      ...(this.ways.size > 0 && { ways: Object.fromEntries(this.ways) }),
      ...(this.delays.size > 0 && { delays: Object.fromEntries(this.delays) }),
      dependsOnGroup,
    };
    return {
      users,
      effects: Object.fromEntries(this.effects),
      entries: { ...this.entries },
      examples: [...this.examples.values()],
    };
  }

  private name(what: What, who: CountedUsers, block?: string): void {
    if (this.mostExamples === 0) return;
    const key = `${what} ${block ?? ''}`;
    const example = this.examples.get(key) ?? {
      what,
      ...(block !== undefined && { block }),
      users: [],
    };
    this.examples.set(key, example);
    const room = this.mostExamples - example.users.length;
    if (room > 0) example.users.push(...who.identifiers().slice(0, room));
  }
}

function raise(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
