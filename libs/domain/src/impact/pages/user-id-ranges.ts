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
/** The first part is small, since nobody knows yet how many users there are. */
const FIRST_WIDTH = SPACE / 4096;
const FASTEST_GROWTH = 16;

/**
 * Walks through all user ids in their order, in parts that hold about `wanted` rows each. Ids are hashes, so equal parts
 * hold about as many; what the last one held says how wide the next one is. A part is one range of an index, whatever
 * number of versions is read: a limit would read each version anew for every page.
 */
export class UserIdRanges {
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

  /** Tells how many rows a part held. */
  learn({ share }: UserIdRange, rows: number): void {
    const factor = rows === 0 ? FASTEST_GROWTH : Math.min(FASTEST_GROWTH, this.wanted / rows);
    this.width = Math.max(1, share * SPACE * factor);
  }
}

const digits = (number: number): string => number.toString(16).padStart(8, '0');
