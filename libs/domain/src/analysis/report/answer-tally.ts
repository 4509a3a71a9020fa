import type { Answer, Uid } from '../../engine/index.js';
import type { Json } from '../../targeting/index.js';
import type { AnswerReport } from './flow-report.js';

/** Texts that are listed of a key. */
const LISTED = 10;
/** How many values one report counts separately, over all blocks: pages may send anything. */
const MOST_KEYS = 1_000;
const MOST_TEXTS = 50_000;
/** Code points of a key or text that are looked at. */
const LONGEST = 200;
/** Of larger numbers, the sum of the squares may not be one. */
const LARGEST = 1e100;

interface KeyCount {
  count: number;
  /** By Welford's method, which loses nothing to large sums. */
  numbers: { count: number; mean: number; squares: number; min: number; max: number };
  readonly texts: Map<string, number>;
  /** Texts that came when no more could be counted separately. */
  others: number;
}

/** Counts what users answered, key by key, in bounded memory (Z3). */
export class AnswerTally {
  private readonly blocks = new Map<Uid, Map<string, KeyCount>>();
  private keys = 0;
  private texts = 0;

  add(uid: Uid, data: Answer): void {
    for (const [key, value] of Object.entries(data)) {
      const count = this.keyOf(uid, cut(key));
      if (!count) continue;
      count.count++;
      for (const one of new Set([value].flat())) this.addValue(count, one);
    }
  }

  /** The most frequent first. */
  of(uid: Uid): AnswerReport[] {
    const keys = [...(this.blocks.get(uid) ?? [])].sort(byCount);
    return keys.map(([key, { count, numbers, texts, others }]) => {
      const ordered = [...texts].sort(([, a], [, b]) => b - a);
      const listed = ordered.slice(0, LISTED).map(([text, times]) => ({ text, count: times }));
      const rest = ordered.slice(LISTED).reduce((sum, [, times]) => sum + times, others);
      const { mean, squares, min, max } = numbers;
      const spread = Math.sqrt(squares / numbers.count);
      return {
        key,
        count,
        ...(numbers.count > 0 && { numbers: { count: numbers.count, mean, spread, min, max } }),
        ...(texts.size > 0 && { texts: listed, otherTexts: rest }),
      };
    });
  }

  private keyOf(uid: Uid, key: string): KeyCount | undefined {
    const keys = this.blocks.get(uid) ?? new Map<string, KeyCount>();
    this.blocks.set(uid, keys);
    const known = keys.get(key);
    if (known || this.keys === MOST_KEYS) return known;
    this.keys++;
    const numbers = { count: 0, mean: 0, squares: 0, min: Infinity, max: -Infinity };
    const count = { count: 0, numbers, texts: new Map<string, number>(), others: 0 };
    keys.set(key, count);
    return count;
  }

  /** Each text of a list counts; what lies deeper is not looked at. */
  private addValue(count: KeyCount, value: Json): void {
    if (typeof value === 'number' && Math.abs(value) <= LARGEST) addNumber(count.numbers, value);
    else if (typeof value === 'string') this.addText(count, cut(value));
    else if (typeof value === 'boolean') this.addText(count, String(value));
  }

  private addText(count: KeyCount, text: string): void {
    const times = count.texts.get(text);
    if (times === undefined && this.texts === MOST_TEXTS) count.others++;
    else {
      if (times === undefined) this.texts++;
      count.texts.set(text, (times ?? 0) + 1);
    }
  }
}

const byCount = ([a, one]: [string, KeyCount], [b, other]: [string, KeyCount]): number =>
  other.count - one.count || (a < b ? -1 : 1);

function addNumber(numbers: KeyCount['numbers'], value: number): void {
  const distance = value - numbers.mean;
  numbers.count++;
  numbers.mean += distance / numbers.count;
  numbers.squares += distance * (value - numbers.mean);
  numbers.min = Math.min(numbers.min, value);
  numbers.max = Math.max(numbers.max, value);
}

const cut = (text: string): string =>
  text.length <= LONGEST
    ? text
    : Array.from(text.slice(0, 2 * LONGEST))
        .slice(0, LONGEST)
        .join('');
