/**
 * Somebody who wants one of the slots. Whether it has one stands here and not in a Set: one that is filled and emptied all
 * the time leaves tables behind that keep requests alive until the next full garbage collection.
 */
export class SlotClaim {
  hasSlot = false;
  /** Milliseconds that it waited for its turn. */
  waitedMs = 0;

  constructor(
    /** It has a slot, which it has to give back. */
    readonly start: () => void,
    /** There is no slot for it in time. */
    readonly refuse: () => void,
  ) {}
}

export interface SlotRules {
  /** Slots that are taken at once. */
  readonly maxRunning: number;
  /** Claims that may wait for one, and for how many milliseconds. */
  readonly maxWaiting: number;
  readonly patienceMs: number;
}

/**
 * A bounded number of requests that work is done for at once; the others wait for their turn, in the order of their
 * arrival. A refusal costs half as much as an answer, and clients come back at once, so a process that refused right away
 * would spend its time on refusals (P12).
 */
export class Slots {
  private taken = 0;
  private readonly line = new Map<SlotClaim, number>();

  constructor(
    private readonly rules: SlotRules,
    private readonly now: () => number,
  ) {}

  get running(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.line.size;
  }

  /** Starts the claim at once or when its turn comes, or refuses it. */
  take(claim: SlotClaim): void {
    if (this.taken < this.rules.maxRunning) this.start(claim);
    else if (this.line.size >= this.rules.maxWaiting) claim.refuse();
    else this.line.set(claim, this.now());
  }

  /** Whatever the claim has, a slot, a place in the line or nothing, is given back; doing so twice is doing so once. */
  giveBack(claim: SlotClaim): void {
    if (!claim.hasSlot) return void this.line.delete(claim);
    claim.hasSlot = false;
    this.taken--;
    this.startNext();
  }

  /** Refuses claims that have waited too long. */
  sweep(): void {
    const limit = this.now() - this.rules.patienceMs;
    for (const [claim, since] of this.line) {
      if (since > limit) return;
      this.line.delete(claim);
      claim.refuse();
    }
  }

  private start(claim: SlotClaim): void {
    this.taken++;
    claim.hasSlot = true;
    claim.start();
  }

  private startNext(): void {
    for (const [claim, since] of this.line) {
      if (this.taken >= this.rules.maxRunning) return;
      this.line.delete(claim);
      claim.waitedMs = this.now() - since;
      this.start(claim);
    }
  }
}
