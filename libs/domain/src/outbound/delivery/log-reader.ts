import type { Database } from '../../database/database.js';
import { type LogPosition, positionValues } from '../../events/reader/log-position.js';
import { type LogFilter, type LogPage, readLog } from '../../events/reader/read-log.js';

/** What was read ahead is used for so long only: a user may be deleted in between. */
const FRESH_MS = 1_000;

interface ReadAhead {
  readonly key: string;
  readonly readAt: number;
  readonly page: Promise<LogPage | undefined>;
}

/**
 * Reads the log for one endpoint: the next stretch of it while the one before is being delivered.
 */
export class LogReader {
  private ahead: ReadAhead | undefined;

  constructor(
    private readonly database: Database,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Reads a stretch that is likely to be needed next; resolves when it is there or cannot be read.
   */
  async prepare(after: LogPosition, filter: LogFilter, size: number): Promise<void> {
    // Ignored here: `read` retries and throws.
    const page = readLog(this.database, after, filter, size).catch(() => undefined);
    this.ahead = { key: keyOf(after, filter, size), readAt: this.now(), page };
    await page;
  }

  /** The steps behind a position, as `readLog` has them: at most a second old. */
  async read(after: LogPosition, filter: LogFilter, size: number): Promise<LogPage> {
    const { ahead } = this;
    this.ahead = undefined;
    const isIt = ahead?.key === keyOf(after, filter, size) && this.now() - ahead.readAt < FRESH_MS;
    return (isIt && (await ahead.page)) || readLog(this.database, after, filter, size);
  }
}

const keyOf = (
  after: LogPosition,
  { environmentId, flows, drafts, since }: LogFilter,
  size: number,
): string => JSON.stringify([...positionValues(after), environmentId, flows, drafts, since, size]);
