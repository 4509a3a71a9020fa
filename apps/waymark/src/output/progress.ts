import { inPercent, inDuration, inDigits } from './numbers.js';

/** How far work has come. */
export interface ProgressState {
  readonly done: number;
  /** How many there are, where that was counted. */
  readonly total?: number;
  /** How much of all is behind, from 0 to 1, where only that is known. */
  readonly share?: number;
  /** What else there is to say, such as how many failed. */
  readonly more?: string;
}

/**
 * Off a terminal there is a line this often, and on one the line is written over no more often than
 * that.
 */
const PAUSE_MS = { elsewhere: 10_000, terminal: 100 };
/** No rate is shown before that. */
const SOON_MS = 1_000;

/**
 * How far a long run has come, how fast, and how long it will still take: a line on a terminal, a
 * line now and then elsewhere.
 */
export class Progress {
  private readonly begun: number;
  private first: { at: number; done: number; share: number } | undefined;
  private lastDone = 0;
  private toldAt: number;
  private isLineOpen = false;
  private reached: string | undefined;

  /** `what` is what is counted, as several: `users`. */
  constructor(
    private readonly session: { note(line: string): void },
    private readonly what: string,
    private readonly terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.begun = this.toldAt = now();
  }

  show(reached: ProgressState): void {
    const at = this.now();
    const share = reached.total ? reached.done / reached.total : reached.share;
    // What an earlier run has done already says nothing of how fast this one is.
    const isBegun = this.first !== undefined && reached.done >= this.lastDone;
    if (!isBegun)
      this.first = {
        at: reached.done === 0 ? this.begun : at,
        done: reached.done,
        share: share ?? 0,
      };
    this.lastDone = reached.done;
    this.reached = `${this.count(reached)}${share === undefined ? '' : `, ${inPercent(share)}`}`;
    if (at - this.toldAt < (this.terminal.isTTY ? PAUSE_MS.terminal : PAUSE_MS.elsewhere)) return;
    this.toldAt = at;
    const line = [
      this.reached,
      ...this.pace(at, reached.done, share),
      ...(reached.more ? [reached.more] : []),
    ].join(', ');
    if (this.terminal.isTTY) this.writeOver(line);
    else this.session.note(line);
  }

  /**
   * Does the work and takes the line away, so that what comes next has one of its own. Work that is
   * stopped says where.
   */
  async during<Done>(work: Promise<Done>): Promise<Done> {
    try {
      return await work;
    } catch (error) {
      this.end();
      if ((error as Error | null)?.name === 'AbortError' && this.reached)
        this.session.note(`as far as ${this.reached}`);
      throw error;
    } finally {
      this.end();
    }
  }

  private count({ done, total }: ProgressState): string {
    return `${inDigits(done)}${total === undefined ? '' : ` of ${inDigits(total)}`} ${this.what}`;
  }

  private pace(at: number, done: number, share: number | undefined): string[] {
    const { at: from, done: before, share: shareBefore } = this.first!;
    const seconds = (at - from) / 1_000;
    if (at - from < SOON_MS || done === before) return [];
    const rate = `${inDigits(Math.round((done - before) / seconds))} a second`;
    if (share === undefined || share <= shareBefore) return [rate];
    return [rate, `${inDuration((seconds * (1 - share)) / (share - shareBefore))} left`];
  }

  private end(): void {
    if (this.isLineOpen) this.writeOver('');
    this.isLineOpen = false;
  }

  private writeOver(text: string): void {
    this.terminal.write(`\r\u001b[K${text}`);
    this.isLineOpen = true;
  }
}
