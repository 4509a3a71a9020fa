import { UserIdRanges, type UserIdRange } from './user-id-ranges.js';

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** How much of all users is behind with this page, from 0 to 1. */
  readonly done: number;
}

export interface PageOptions<Row> {
  /** Rows that a page should hold, about. */
  readonly wanted: number;
  /** How many users a page of rows stands for; its rows when left out. */
  readonly count?: (rows: readonly Row[]) => number;
  /** The user behind whom to begin; all users when left out. */
  readonly from?: string;
  /** How many pages are asked for while one is being worked on; one when left out. */
  readonly ahead?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads by user, page after page, without a lock or a snapshot between two. The next pages are asked for while one is being
 * worked on; that many and one more are in memory at most. Throws the signal's reason once it is aborted.
 */
export async function* readPages<Row>(
  load: (range: UserIdRange) => Promise<Row[]>,
  { wanted, count = (rows) => rows.length, from, ahead = 1, signal }: PageOptions<Row>,
): AsyncGenerator<Page<Row>> {
  const ranges = new UserIdRanges(wanted, from);
  const coming: { range: UserIdRange; rows: Promise<Row[]> }[] = [];
  const ask = (): void => {
    for (let range; coming.length < ahead && (range = ranges.take());) {
      const rows = load(range);
      // Whoever stops early never looks at the pages that were asked for ahead.
      rows.catch(() => undefined);
      coming.push({ range, rows });
    }
  };
  ask();
  for (let page = coming.shift(); page; page = coming.shift()) {
    signal?.throwIfAborted();
    const rows = await page.rows;
    ranges.learn(page.range, count(rows));
    ask();
    yield { rows, done: page.range.done };
  }
}
