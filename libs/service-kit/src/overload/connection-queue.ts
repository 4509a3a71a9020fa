/** One request on its way through the process. */
export interface Visit {
  /** It is the first on its connection now. */
  begin(): void;
  /** It is over, whichever way; may be called more than once. */
  end(): void;
}

/** Requests that a client may send ahead on one connection. Browsers and the clients of today send none. */
const MOST_BEHIND = 100;

/** The requests of one connection: one after the other, so that a connection never holds more than one slot. */
export class ConnectionQueue {
  private first: Visit | undefined;
  private readonly behind: Visit[] = [];
  private isClosed = false;

  /** How many were sent ahead of their turn. */
  get ahead(): number {
    return this.behind.length;
  }

  /** Whether one more would be sent ahead. */
  get isBusy(): boolean {
    return this.first !== undefined;
  }

  /** False where too many are there already, or the connection is closed. */
  arrive(visit: Visit): boolean {
    if (this.isClosed || this.behind.length >= MOST_BEHIND) return false;
    if (this.first) this.behind.push(visit);
    else this.begin(visit);
    return true;
  }

  /** The answer to the first is out, or the client is gone. */
  advance(): void {
    this.first?.end();
    this.first = undefined;
    const next = this.isClosed ? undefined : this.behind.shift();
    if (next) this.begin(next);
  }

  /** The connection has ended: of answers that were still to come Node tells nothing. */
  close(): void {
    this.isClosed = true;
    this.behind.length = 0;
    this.advance();
  }

  private begin(visit: Visit): void {
    this.first = visit;
    visit.begin();
  }
}
