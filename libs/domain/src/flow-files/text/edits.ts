import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { FlowText, type MapNode, type Place, writtenOf } from './flow-text.js';
import { type ValueContext, writeName, writeText } from './write-value.js';

/** Puts other characters in the place of some. */
function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

/** Characters in the place of some. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/** What is written at a place: given its surroundings, the YAML of a value. */
export type Written = string | ((around: ValueContext) => string);

/** A text; lines where there is room for them. */
export const textValue =
  (value: string): Written =>
  (around) =>
    writeText(value, around);

/** Entries of a map, each on a line where there is room for lines. */
export const mapValue =
  (entries: readonly (readonly [key: string, value: Written])[]): Written =>
  ({ isFlow, isJson, indent }) => {
    const around = { isFlow, isJson, indent: isFlow && indent === 0 ? 0 : indent + STEP };
    const written = entries.map(([key, value]) => {
      const name = writeName(key, isJson);
      return `${name}:${behindColon(writtenAs(value, around))}`;
    });
    const lines = written.map((line) => `\n${' '.repeat(indent)}${line}`);
    if (isJson && indent > 0) return `{${lines.join(',')}\n${' '.repeat(indent - STEP)}}`;
    return isFlow ? `{ ${written.join(', ')} }` : lines.join('');
  };

const STEP = 2;

/**
 * Writes a value under a place, whose keys are added where they are missing. Other lines stay as
 * they are.
 */
export function put(text: string, place: Place, value: Written): string {
  return putAll(text, [[place, value]]);
}

/**
 * The same for several places, of which none adds a key that another one needs; the text is read
 * once.
 */
export function putAll(text: string, values: readonly (readonly [Place, Written])[]): string {
  const source = values.reduce(
    (changed, [place]) => writeOutAbove(changed, place),
    FlowText.of(text),
  );
  return spliceAll(
    source.text,
    values.map(([place, value]) => spliceAt(source, place, value)),
  );
}

function spliceAll(text: string, splices: Splice[]): string {
  const lineBreak = /\r?\n/.exec(text)?.[0] ?? '\n';
  let end = 0;
  const pieces = splices
    .sort((one, other) => one.from - other.from)
    .map(({ from, to, put }) => {
      const piece = text.slice(end, from) + put.replace(/\r?\n/g, lineBreak);
      end = to;
      return piece;
    });
  return pieces.join('') + text.slice(end);
}

/**
 * Writes out what an alias above a place stands for, so that a change is made in this place alone.
 */
function writeOutAbove(source: FlowText, place: Place): FlowText {
  for (let length = 1; length < place.length; length++) {
    const above = place.slice(0, length);
    const node = source.at(above);
    const meant = source.resolve(node);
    if (!meant || meant === node) continue;
    const written = spliceAll(source.text, [spliceAt(source, above, copyOf(source, meant))]);
    return writeOutAbove(FlowText.of(written), place);
  }
  return source;
}

function copyOf(source: FlowText, node: Node): Written {
  const [from, end] = node.range!;
  const copy = source.text.slice(from, source.endOf(node, end));
  return ({ isFlow, indent }) => {
    const isBelow = (isMap(node) || isSeq(node)) && !node.flow;
    if (!isBelow && !copy.includes('\n')) return copy;
    if (!isBelow || isFlow) return source.jsonOf(node);
    const lineBreak = `\n${' '.repeat(indent)}`;
    return lineBreak + copy.replaceAll(`\n${' '.repeat(source.columnOf(from))}`, lineBreak);
  };
}

function spliceAt(source: FlowText, place: Place, value: Written): Splice {
  const found = source.entry(place);
  if (found) return replaceValue(source, found.map, found.pair, value);
  const node = source.at(place);
  if (node && typeof place.at(-1) === 'number') {
    const written = writtenAs(value, { isFlow: true, isJson: source.isJson, indent: 0 });
    return { from: node.range![0], to: node.range![1], put: written };
  }
  return insert(source, place, value);
}

function writtenAs(value: Written, around: ValueContext): string {
  return typeof value === 'string' ? value : value(around);
}

function replaceValue(
  source: FlowText,
  map: MapNode,
  { key, value }: MapNode['items'][number],
  put: Written,
): Splice {
  const { text } = source;
  const colon = source.colonAfter(key);
  const written = writtenAs(put, surroundings(source, map, key));
  const isWritten = value !== null && value.range![1] > value.range![0];
  // Behind the colon, as a tag or an anchor would be of the old value.
  if (!isWritten) return { from: colon + 1, to: colon + 1, put: behindColon(written) };
  const isBelow = (isMap(value) || isSeq(value)) && !value.flow;
  const between = text.slice(colon + 1, value.range![0]);
  const isAfresh = written.startsWith('\n') && between.trim() === '';
  const from = isBelow || isAfresh || between.includes('\n') ? colon + 1 : value.range![0];
  const to = source.endOf(value, value.range![1]);
  return { from, to, put: from === colon + 1 ? behindColon(written) : written };
}

/** Of a value below a key of a map. */
function surroundings(source: FlowText, map: MapNode, key: MapNode['items'][number]['key']) {
  const [from] = key.range!;
  const [isFlow, isJson] = [map.flow === true, source.isJson];
  const hasLines = !isFlow || (isJson && lineBefore(source.text, from) !== '');
  return { isFlow, isJson, indent: hasLines ? source.columnOf(from) + STEP : 0 };
}

/** The line break and the blanks before what begins a line; nothing before anything else. */
function lineBefore(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1);
  const blanks = text.slice(Math.max(start, 0), offset);
  return start >= 0 && blanks.trim() === '' ? blanks : '';
}

/** Lines begin on the next one. */
function behindColon(written: string): string {
  return written.startsWith('\n') ? written : ` ${written}`;
}

function insert(source: FlowText, place: Place, value: Written): Splice {
  const above = place.slice(0, -1);
  const map = source.map(above);
  if (map) return insertInto(source, map, writeName(String(place.at(-1)), source.isJson), value);
  // The map itself is missing, or has nothing in it: it is written with this one entry.
  return spliceAt(source, above, mapValue([[String(place.at(-1)), value]]));
}

function insertInto(source: FlowText, map: MapNode, key: string, value: Written): Splice {
  const { text } = source;
  const entries = source.entriesOf(map);
  const last = entries.at(-1);
  if (map.flow) {
    const around = last && surroundings(source, map, last.key);
    const { isJson } = source;
    const written = `${key}: ${writtenAs(value, around ?? { isFlow: true, isJson, indent: 0 })}`;
    const end = map.range![1] - 1;
    if (!last) return { from: map.range![0] + 1, to: end, put: ` ${written} ` };
    const at = source.endOf(last.value, source.colonAfter(last.key) + 1);
    const gap = isJson ? lineBefore(text, last.key.range![0]) : '';
    return { from: at, to: at, put: `,${gap || ' '}${written}` };
  }
  const column = source.columnOf(entries[0]!.key.range![0]);
  const at = endOfLine(text, source.endOf(last!.value, source.colonAfter(last!.key) + 1));
  const written = writtenAs(value, { isFlow: false, indent: column + STEP });
  const line = `${' '.repeat(column)}${key}:${behindColon(written)}`;
  return { from: at, to: at, put: `\n${line}` };
}

/**
 * Takes an entry away, with what is written behind it on its line. An only entry leaves an empty
 * map.
 */
export function remove(before: string, place: Place): string {
  if (!FlowText.of(before).entry(place)) return before;
  const source = writeOutAbove(FlowText.of(before), place);
  const { text } = source;
  const { map, pair, index } = source.entry(place)!;
  const entries = source.entriesOf(map);
  const end = source.endOf(pair.value, source.colonAfter(pair.key) + 1);
  if (entries.length === 1) return place.length === 1 ? text : remove(text, place.slice(0, -1));
  if (map.flow) {
    const next = entries[index + 1];
    if (next) return splice(text, pair.key.range![0], next.key.range![0], '');
    const before = entries[index - 1]!;
    return splice(text, source.endOf(before.value, source.colonAfter(before.key) + 1), end, '');
  }
  const from = text.lastIndexOf('\n', pair.key.range![0] - 1) + 1;
  const next = text.indexOf('\n', end) + 1;
  return splice(text, from, next || text.length, '');
}

/** Writes another key in the place of one. */
export function renameKey(text: string, place: Place, name: string): string {
  if (!FlowText.of(text).entry(place)) return text;
  const source = writeOutAbove(FlowText.of(text), place);
  const [from, to] = source.entry(place)!.pair.key.range!;
  return splice(source.text, from, to, writeName(name, source.isJson));
}

/**
 * Has two neighbours of a map change places, each with its lines; what is between them stays there.
 */
export function swapWithNext(text: string, place: Place): string {
  const source = FlowText.of(text);
  const found = source.entry(place);
  const next = found && source.entriesOf(found.map)[found.index + 1];
  if (!found || !next) return text;
  const rangeOf = ({ key, value }: typeof next): [number, number] => {
    const from = key.range![0];
    const end = source.endOf(value, source.colonAfter(key) + 1);
    return [from, found.map.flow ? end : endOfLine(text, end)];
  };
  const [a, b] = [rangeOf(found.pair), rangeOf(next)];
  return (
    text.slice(0, a[0]) +
    text.slice(...b) +
    text.slice(a[1], b[0]) +
    text.slice(...a) +
    text.slice(b[1])
  );
}

/** Writes another name for a target everywhere: in `start`, in `next` and behind every path. */
export function renameTargets(text: string, from: string, to: string): string {
  const source = FlowText.of(text);
  return writeTargetsAnew(source, ['start', ...source.keys(['blocks'])], from, to);
}

/** The same only where one block, or the start, leads there. */
export function renameTargetsOf(text: string, block: string, from: string, to: string): string {
  return writeTargetsAnew(FlowText.of(text), [block], from, to);
}

function writeTargetsAnew(
  source: FlowText,
  leading: readonly string[],
  from: string,
  to: string,
): string {
  const nodes: Node[] = [];
  const collect = (node: Node | null | undefined): void => {
    const meant = source.resolve(node);
    if (node && isScalar(meant) && writtenOf(meant) === from) nodes.push(node);
    if (isSeq(node)) for (const item of node.items) collect(item as Node);
  };
  for (const place of leading.flatMap((block) => placesOfTargets(source, block)))
    collect(source.at(place));
  return nodes
    .sort((a, b) => b.range![0] - a.range![0])
    .reduce(
      (changed, node) => splice(changed, node.range![0], node.range![1], writeName(to)),
      source.text,
    );
}

/** The places of the targets of a block, or of the start. No block is called so (W7). */
export function placesOfTargets(source: FlowText, block: string): Place[] {
  if (block === 'start') return [['start']];
  const place = ['blocks', block];
  return [
    [...place, 'next'],
    ...source.keys([...place, 'paths']).map((name) => {
      const at = [...place, 'paths', name];
      // A path of a split has its share beside its target.
      return source.map(at) ? [...at, 'to'] : at;
    }),
  ];
}

function endOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/\r?\n|$/);
  return offset + end;
}
