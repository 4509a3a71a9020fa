import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** Keys that lead to a part of the text. */
export type Place = readonly (string | number)[];

export type MapNode = YAMLMap<Scalar, Node | null>;
type Entry = Pair<Scalar, Node | null>;

/** A text that changes has been read before. */
let last: FlowText | undefined;

/**
 * The text of a flow file with its nodes and where each of them is written. It is never written
 * again from these: a change replaces only some of its characters (T9).
 */
export class FlowText {
  readonly root: Node | null;
  private readonly document: Document;
  /** Whether the text is YAML at all; only then can it be edited by form. */
  readonly isSound: boolean;

  static of(text: string): FlowText {
    if (last?.text !== text) last = new FlowText(text);
    return last;
  }

  private constructor(readonly text: string) {
    const document = parseDocument(text, {
      prettyErrors: false,
      schema: 'core',
      uniqueKeys: true,
      keepSourceTokens: true,
    });
    this.document = document;
    this.root = document.contents as Node | null;
    this.isSound = document.errors.length === 0 && (this.root === null || isMap(this.root));
  }

  /** JSON, which is YAML too, stays JSON. */
  get isJson(): boolean {
    return (this.knownJson ??= isJson(this.text));
  }
  private knownJson: boolean | undefined;

  /** The node of a place; null where its key has no value, undefined where there is no such key. */
  at(place: Place): Node | null | undefined {
    let node: Node | null | undefined = this.root;
    for (const key of place) {
      const above = this.resolve(node);
      if (isMap(above)) node = this.pair(above as MapNode, String(key))?.value;
      else if (isSeq(above) && typeof key === 'number') node = (above as YAMLSeq<Node>).items[key];
      else return undefined;
    }
    return node;
  }

  /** What a node stands for, where it is an alias: `*first` for the value at `&first`. */
  resolve(node: Node | null | undefined): Node | null | undefined {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  /** The value of a node as JSON. */
  jsonOf(node: Node): string {
    return JSON.stringify(node.toJS(this.document));
  }

  map(place: Place): MapNode | undefined {
    const node = this.resolve(this.at(place));
    return isMap(node) ? (node as MapNode) : undefined;
  }

  /** The entry at a place. */
  entry(place: Place): { map: MapNode; pair: Entry; index: number } | undefined {
    const map = this.map(place.slice(0, -1));
    const index = map
      ? this.entriesOf(map).findIndex(({ key }) => writtenOf(key) === String(place.at(-1)))
      : -1;
    return map && index >= 0 ? { map, pair: this.entriesOf(map)[index]!, index } : undefined;
  }

  entriesOf(map: MapNode): Entry[] {
    return map.items;
  }

  /** Keys of a map in their order, as they are written. */
  keys(place: Place): string[] {
    const map = this.map(place);
    return map ? this.entriesOf(map).map(({ key }) => writtenOf(key)) : [];
  }

  /**
   * The key of a map to which a position in the text belongs; undefined before the first one and
   * behind the last.
   */
  keyAt(place: Place, offset: number): string | undefined {
    const entries = this.isSound ? (this.map(place)?.items ?? []) : [];
    const found = (entries as Entry[]).findLast(({ key }) => key.range![0] <= offset);
    if (!found) return undefined;
    const end = found.value?.range?.[2] ?? found.key.range![2];
    return offset <= end ? writtenOf(found.key) : undefined;
  }

  /** The keys that lead to what is written at a position, as far as there are keys. */
  placeAt(offset: number, above: Place = []): Place {
    const key = this.keyAt(above, offset);
    if (key === undefined) return above;
    const place = [...above, key];
    return isAlias(this.at(place)) ? place : this.placeAt(offset, place);
  }

  /** The text of a value; undefined where there is none, or no single one. */
  value(place: Place): string | undefined {
    const node = this.resolve(this.at(place));
    if (!isScalar(node) || node.value === null) return undefined;
    return node.type === 'PLAIN' ? writtenOf(node) : String(node.value);
  }

  /** One target or a list of them, as texts. */
  list(place: Place): string[] {
    const node = this.resolve(this.at(place));
    if (isSeq(node))
      return (node as YAMLSeq<Node>).items.flatMap((item) => {
        const meant = this.resolve(item);
        return isScalar(meant) ? writtenOf(meant) : [];
      });
    const value = this.value(place);
    return value === undefined ? [] : [value];
  }

  /**
   * The position of the last character of an entry or node, blanks and comments after it left out.
   */
  endOf(node: Node | null, fallback: number): number {
    if (node === null) return fallback;
    if ((isMap(node) || isSeq(node)) && !node.flow) return this.endOfLast(node, fallback);
    const end = node.range![1];
    const isBlock =
      isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
    if (!isBlock) return end;
    // Of `|+` every line break belongs to the value, the last one ends its line.
    const isKept = /^[|>]\d?\+/.test(this.text.slice(node.range![0], end));
    return isKept
      ? end - (this.text[end - 2] === '\r' ? 2 : 1)
      : Math.max(node.range![0], this.text.slice(0, end).trimEnd().length);
  }

  private endOfLast(node: Node, fallback: number): number {
    const last: unknown = (node as YAMLSeq).items.at(-1);
    if (last === undefined) return fallback;
    if (isMap(node)) {
      const { key, value } = last as Entry;
      return this.endOf(value, this.colonAfter(key) + 1);
    }
    return this.endOf(last as Node, (last as Node).range?.[1] ?? fallback);
  }

  /** The position of the colon of a key. */
  colonAfter(key: Scalar): number {
    return this.text.indexOf(':', key.range![1]);
  }

  /** How far a line is indented up to a place in it. */
  columnOf(offset: number): number {
    return offset - (this.text.lastIndexOf('\n', offset - 1) + 1);
  }

  private pair(map: MapNode, key: string): Entry | undefined {
    return this.entriesOf(map).find((entry) => writtenOf(entry.key) === key);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The very text written, whatever YAML would make of it: `10`, `007`, `true`, `no`. */
export function writtenOf(node: Scalar): string {
  return node.source ?? String(node.value);
}
