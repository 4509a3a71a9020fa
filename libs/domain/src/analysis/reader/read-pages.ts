/**
 * Part of all users, counted for the whole: those with the lowest ids, which are hashes and so a
 * fair choice.
 */
export interface SampleReport {
  readonly users: number;
  /** A share is off by no more than this in 95 of 100 samples; 0.01 is one percentage point. */
  readonly margin: number;
}

/** A sample of that size; shares of a half are the ones that chance moves most. */
export function sampleOf(users: number): SampleReport {
  return {
    users,
    margin: users === 0 ? 1 : Math.round((1.96 / (2 * Math.sqrt(users))) * 10_000) / 10_000,
  };
}

/** A part of all user ids, both ends included. */
export interface UserIdRange {
  readonly from: string;
  readonly to: string;
  /** How much of all ids it is, and how much is behind when it is done, from 0 to 1. */
  readonly share: number;
  readonly done: number;
}

/** The first eight digits of an id, as a number, are below this. */
const SPACE = 2 ** 32;
/** The first part is small, since the number of users is not known yet. */
const FIRST_WIDTH = SPACE / 4096;
const FASTEST_GROWTH = 16;

/**
 * Walks through all user ids in their order, in parts that hold about `wanted` rows each. Ids are
 * hashes, so equal parts hold about as many; what the last one held says how wide the next one is.
 * A part is one range of an index, whatever number of versions is read: a limit would read each
 * version anew for every page.
 */
class UserIdRanges {
  private next: number;
  private width = FIRST_WIDTH;

  /** `from` is an id in the first part. */
  constructor(
    private readonly wanted: number,
    from = '',
  ) {
    this.next = Number.parseInt(from.slice(0, 8) || '0', 16);
  }

  /** The next part; null when all ids are behind. */
  take(): UserIdRange | null {
    if (this.next >= SPACE) return null;
    const from = Math.floor(this.next);
    const end = Math.min(SPACE, Math.ceil(this.next + this.width));
    this.next = end;
    return {
      from: `${digits(from)}-0000-0000-0000-000000000000`,
      to: `${digits(end - 1)}-ffff-ffff-ffff-ffffffffffff`,
      share: (end - from) / SPACE,
      done: end / SPACE,
    };
  }

  /** Reports how many rows a part had. */
  learn({ share }: UserIdRange, rows: number): void {
    const factor = rows === 0 ? FASTEST_GROWTH : Math.min(FASTEST_GROWTH, this.wanted / rows);
    this.width = Math.max(1, share * SPACE * factor);
  }
}

const digits = (number: number): string => number.toString(16).padStart(8, '0');

interface Page<Row> {
  readonly rows: readonly Row[];
  /** How much of all users is behind with this page, from 0 to 1. */
  readonly done: number;
}

interface PageOptions<Row> {
  /** Rows that a page should hold, about. */
  readonly wanted: number;
  /** How many users a page of rows represents; its rows when left out. */
  readonly count?: (rows: readonly Row[]) => number;
  /** Begins after this user; with the first when left out. */
  readonly from?: string;
  /** How many pages are requested while one is being worked on; one when left out. */
  readonly ahead?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads by user, page after page, without a lock or a snapshot between two. The next pages are
 * requested while one is being worked on; that many and one more are in memory at most. Throws the
 * signal's reason once it is aborted.
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
      // A caller that stops early never awaits the prefetched pages.
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
