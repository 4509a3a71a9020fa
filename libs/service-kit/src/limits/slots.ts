/**
 * A queued request. Keeps its own flag: a churning Set is only freed by a full garbage collection.
 */
export class QueuedRequest {
  hasSlot = false;
  /** Milliseconds that it waited in the queue. */
  waitedMs = 0;

  constructor(
    /** Called when it gets a slot, which it has to release. */
    readonly start: () => void,
    /** Called when there is no slot for it in time. */
    readonly refuse: () => void,
  ) {}
}

export interface SlotRules {
  /** Requests worked on at once. */
  readonly maxRunning: number;
  /** Requests that may wait for a slot, and for how many milliseconds. */
  readonly maxWaiting: number;
  readonly patienceMs: number;
}

/**
 * Works on a bounded number of requests at once; the others queue in the order of their arrival. A
 * refusal costs half as much as an answer, and clients come back at once, so refusing right away
 * would spend the time on refusals (P12).
 */
export class Slots {
  private taken = 0;
  private readonly queue = new Map<QueuedRequest, number>();

  constructor(
    private readonly rules: SlotRules,
    private readonly now: () => number,
  ) {}

  get running(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** Starts the request at once or when its turn comes, or refuses it. */
  take(request: QueuedRequest): void {
    if (this.taken < this.rules.maxRunning) this.start(request);
    else if (this.queue.size >= this.rules.maxWaiting) request.refuse();
    else this.queue.set(request, this.now());
  }

  /** Releases the slot or the place in the queue. Idempotent. */
  release(request: QueuedRequest): void {
    if (!request.hasSlot) return void this.queue.delete(request);
    request.hasSlot = false;
    this.taken--;
    this.startNext();
  }

  /** Refuses requests that have waited too long. */
  sweep(): void {
    const limit = this.now() - this.rules.patienceMs;
    for (const [request, since] of this.queue) {
      if (since > limit) return;
      this.queue.delete(request);
      request.refuse();
    }
  }

  private start(request: QueuedRequest): void {
    this.taken++;
    request.hasSlot = true;
    request.start();
  }

  private startNext(): void {
    for (const [request, since] of this.queue) {
      if (this.taken >= this.rules.maxRunning) return;
      this.queue.delete(request);
      request.waitedMs = this.now() - since;
      this.start(request);
    }
  }
}
