import type { Session } from './session.js';

/** How far the counting goes between two lines off a terminal. */
const STRIDE = 10_000;

/** How far a long run has come: a line that is written over on a terminal, a line now and then elsewhere. */
export class Progress {
  private told = 0;
  private isLineOpen = false;

  constructor(
    private readonly session: Pick<Session, 'note'>,
    private readonly terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  ) {}

  tell(count: number, text: string): void {
    if (this.terminal.isTTY) this.writeOver(text);
    else if (count - this.told >= STRIDE) {
      this.session.note(text);
      this.told = count;
    }
  }

  /** Takes the line away, so that what comes next has one of its own. */
  end(): void {
    if (this.isLineOpen) this.writeOver('');
    this.isLineOpen = false;
  }

  private writeOver(text: string): void {
    this.terminal.write(`\r\u001b[K${text}`);
    this.isLineOpen = true;
  }
}
