/** Work that is done one after the other. */
export class Queue {
  /** What is under way or waits. */
  length = 0;
  private last: Promise<unknown> = Promise.resolve();

  add<Result>(work: () => Promise<Result>): Promise<Result> {
    this.length += 1;
    const done = this.last.then(work).finally(() => (this.length -= 1));
    this.last = done.catch(() => undefined);
    return done;
  }
}
