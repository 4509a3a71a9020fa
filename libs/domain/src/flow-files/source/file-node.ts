import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml';
import { didYouMean } from '../../engine/index.js';
import { textOf } from './check-nodes.js';
import type { FlowSource } from './flow-source.js';
import type { Place } from './file-problem.js';
import { listOf, quote } from './wording.js';

/** A key and its value, in a map whose keys are the file's own (blocks, paths, fields). */
export interface Entry {
  key: string;
  value: FileNode;
}

/** What a key of the file means. */
export type KeyReader = (key: string) => string;

const asWritten: KeyReader = (key) => key;

/**
 * A part of a flow file, with the keys that lead to it. Readers answer undefined after reporting
 * what is wrong.
 */
export class FileNode {
  private children: readonly Entry[] | undefined;
  private listed: readonly FileNode[] | undefined;
  private readonly indexes = new Map<KeyReader, ReadonlyMap<string, FileNode>>();

  private constructor(
    private readonly source: FlowSource,
    /** Null where a key has no value. */
    readonly node: Node | null,
    readonly place: Place,
    /** Where the value is written. */
    readonly offset: number,
    /** Where its key is written; in lists and at the root the same as `offset`. */
    readonly keyOffset: number,
  ) {}

  static root(source: FlowSource): FileNode {
    return new FileNode(source, source.root && source.resolve(source.root), [], 0, 0);
  }

  report(code: string, message: string): void {
    this.source.add({ offset: this.offset, code, message, place: this.place, severity: 'error' });
  }

  reportKey(code: string, message: string): void {
    this.source.add({
      offset: this.keyOffset,
      code,
      message,
      place: this.place,
      severity: 'error',
    });
  }

  warnKey(code: string, message: string): void {
    this.source.add({
      offset: this.keyOffset,
      code,
      message,
      place: this.place,
      severity: 'warning',
    });
  }

  /** A key that should be here; its value counts as spoiled, the rest does not. */
  reportMissing(key: string, message: string): void {
    const place = [...this.place, key];
    this.source.add({
      offset: this.keyOffset,
      code: 'key.missing',
      message,
      place,
      severity: 'error',
    });
  }

  isMap(): boolean {
    return isMap(this.node);
  }

  isList(): boolean {
    return isSeq(this.node);
  }

  /** Nothing written, `null` or `~`. */
  isNull(): boolean {
    return this.node === null || (isScalar(this.node) && this.node.value === null);
  }

  /** A single value as YAML understands it; undefined for maps and lists. */
  scalar(): unknown {
    if (this.node === null) return null;
    return isScalar(this.node) ? this.node.value : undefined;
  }

  /**
   * The very text written, without quotes, of `null` too; undefined for maps, lists and nothing
   * (F1).
   */
  written(): string | undefined {
    return isScalar(this.node) ? textOf(this.node) : undefined;
  }

  /** The very text written; `what` names it in the refusal. */
  text(what: string): string | undefined {
    if (!this.isNull() && isScalar(this.node)) return textOf(this.node);
    this.report('value.not-text', `${what} is text, not ${this.describe()}`);
    return undefined;
  }

  /**
   * One of some words; any other is reported with what was probably meant, `none` being how the
   * refusal begins.
   */
  oneOf<Word extends string>(
    words: readonly Word[],
    what: string,
    code: string,
    none: string,
  ): Word | undefined {
    const text = this.text(what);
    const known = words.find((word) => word === text);
    if (text !== undefined && known === undefined)
      this.report(
        code,
        `${none} ${quote(text)}${didYouMean(text, words) || `; there are ${listOf(words)}`}`,
      );
    return known;
  }

  /** Keys and values of a map; `expected` says in the refusal what should have been here. */
  entries(expected: string): readonly Entry[] {
    if (this.isMap()) return this.pairs();
    this.report('value.not-map', `expected ${expected}, not ${this.describe()}`);
    return [];
  }

  elements(): readonly FileNode[] {
    const items = isSeq(this.node) ? (this.node.items as Node[]) : [];
    this.listed ??= items.map((item, index) => this.child(item, index, item.range![0]));
    return this.listed;
  }

  /**
   * The values of a map whose keys are fixed, unknown ones reported (S4). `what` names the map in
   * the refusal, `advice` holds better words for keys that people are likely to try.
   */
  parts(
    what: string,
    allowed: readonly string[],
    advice: Readonly<Record<string, string>> = {},
  ): Map<string, FileNode> {
    const parts = new Map<string, FileNode>();
    for (const { key, value } of this.entries(`${what} as a map of ${listOf(allowed)}`)) {
      if (allowed.includes(key)) parts.set(key, value);
      else value.reportKey('key.unknown', unknownKey(key, what, allowed, advice));
    }
    return parts;
  }

  /** The value under a key or index, without reporting anything. */
  find(key: string | number): FileNode | undefined {
    if (typeof key === 'number') return this.elements()[key];
    return this.findAs(asWritten, key);
  }

  /** The first value whose key a reader takes for this one. */
  findAs(read: KeyReader, key: string): FileNode | undefined {
    const index =
      this.indexes.get(read) ??
      new Map(
        this.pairs()
          .toReversed()
          .map((pair) => [read(pair.key), pair.value]),
      );
    this.indexes.set(read, index);
    return index.get(key);
  }

  /** Keys and values of a map, nothing for anything else. */
  pairs(): readonly Entry[] {
    this.children ??= isMap(this.node)
      ? this.node.items.map((pair) => this.entry(pair as Pair<Scalar, Node | null>))
      : [];
    return this.children;
  }

  describe(): string {
    if (this.isNull()) return 'nothing';
    if (this.isMap()) return 'a map';
    if (this.isList()) return 'a list';
    const value = this.scalar();
    return typeof value === 'string'
      ? `the text ${quote(value)}`
      : `the ${typeof value} ${this.written() ?? ''}`;
  }

  private entry({ key, value }: Pair<Scalar, Node | null>): Entry {
    return { key: textOf(key), value: this.child(value, textOf(key), key.range![0]) };
  }

  private child(node: Node | null, key: string | number, keyOffset: number): FileNode {
    const written = node?.range && node.range[1] > node.range[0];
    const offset = written ? node.range![0] : keyOffset;
    return new FileNode(
      this.source,
      node && this.source.resolve(node),
      [...this.place, key],
      offset,
      keyOffset,
    );
  }
}

function unknownKey(
  key: string,
  what: string,
  allowed: readonly string[],
  advice: Readonly<Record<string, string>>,
): string {
  const better = Object.hasOwn(advice, key) ? `; ${advice[key]}` : didYouMean(key, allowed);
  return `${what} has no key ${quote(key)}${better || `; allowed are ${listOf(allowed)}`}`;
}
