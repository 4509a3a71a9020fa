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
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads by user, page after page, without a lock or a snapshot between two. The next page is asked for while one is being
 * worked on, so that two are in memory at most. Throws the signal's reason once it is aborted.
 */
export async function* readPages<Row>(
  load: (range: UserIdRange) => Promise<Row[]>,
  { wanted, count = (rows) => rows.length, from, signal }: PageOptions<Row>,
): AsyncGenerator<Page<Row>> {
  const ranges = new UserIdRanges(wanted, from);
  const loadNext = (): Promise<Page<Row>> | null => {
    const range = ranges.take();
    if (!range) return null;
    const page = load(range).then((rows) => ({ rows, done: range.done }));
    // Whoever stops early never looks at the page that was asked for ahead.
    page.catch(() => undefined);
    return page;
  };
  for (let coming = loadNext(); coming;) {
    signal?.throwIfAborted();
    const page = await coming;
    ranges.learn(count(page.rows));
    coming = loadNext();
    yield page;
  }
}
