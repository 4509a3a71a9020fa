/** Names remembered at most; beyond that the one that came first is forgotten. */
const MOST_NAMES = 100_000;
const FIRST_SWEEP = 1_000;
/**
 * What a name may spend at once, since a deploy brings everybody at the same moment, and what it
 * may owe.
 */
const BURST_MS = 2_000;
const DEBT_MS = 1_000;

/**
 * A budget of so many units a second for each name: a token bucket that keeps one number, the time
 * at which it is full again. Nothing costs more than a second of it, and no name waits longer than
 * a second for its next unit (W2).
 */
export class Budgets {
  private readonly fullAt = new Map<string, number>();
  private sweepAt = FIRST_SWEEP;

  constructor(
    readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.fullAt.size;
  }

  /** False where less than one unit is left. What costs more than is left leaves a debt. */
  take(name: string, cost = 1): boolean {
    if (this.isEmpty(name)) return false;
    this.charge(name, cost);
    return true;
  }

  /** Takes what was spent already, even where it is not there. */
  charge(name: string, cost: number): void {
    const now = this.now();
    const costMs = Math.min(cost, this.perSecond) * (1_000 / this.perSecond);
    const fullAt = Math.max(this.fullAt.get(name) ?? 0, now) + costMs;
    if (!this.fullAt.has(name)) this.makeRoom(now);
    this.fullAt.set(name, Math.min(fullAt, now + BURST_MS + DEBT_MS));
  }

  isEmpty(name: string): boolean {
    const spentMs = (this.fullAt.get(name) ?? 0) - this.now();
    // Half a unit more than exact, because adding fractions loses some of it.
    return spentMs > BURST_MS - 500 / this.perSecond;
  }

  /** Forgets full budgets whenever there are twice as many names as were left the last time. */
  private makeRoom(now: number): void {
    if (this.size >= this.sweepAt) {
      for (const [name, fullAt] of this.fullAt) if (fullAt <= now) this.fullAt.delete(name);
      this.sweepAt = Math.max(FIRST_SWEEP, 2 * this.size);
    }
    if (this.size >= MOST_NAMES) this.fullAt.delete(this.fullAt.keys().next().value!);
  }
}

/**
 * A network of IPv6 is given to one site, which can use each of its 65,536 subnets as an address.
 */
const SUBNETS_PER_NETWORK = 16;

/**
 * Budgets of addresses, as `ClientAddresses` names them: of IPv6 for each /64, and 16 times as much
 * for each /48.
 */
export class AddressBudgets {
  private readonly own: Budgets;
  private readonly networks: Budgets;

  constructor(perSecond: number, now?: () => number) {
    this.own = new Budgets(perSecond, now);
    this.networks = new Budgets(SUBNETS_PER_NETWORK * perSecond, now);
  }

  take(address: string, cost = 1): boolean {
    if (this.isEmpty(address)) return false;
    this.charge(address, cost);
    return true;
  }

  charge(address: string, cost: number): void {
    this.own.charge(address, cost);
    const network = networkOf(address);
    if (network) this.networks.charge(network, Math.min(cost, this.own.perSecond));
  }

  isEmpty(address: string): boolean {
    const network = networkOf(address);
    return this.own.isEmpty(address) || (network !== undefined && this.networks.isEmpty(network));
  }
}

/** The first 48 bits of an address of IPv6. */
const networkOf = (address: string): string | undefined =>
  address.includes(':') ? address.split(':', 3).join(':') : undefined;
