import {
  didYouMean,
  type ExposedType,
  type Field,
  FIELD_TYPES,
  type FieldType,
} from '../../engine/index.js';
import type { Json } from '../../targeting/json/json.js';
import type { FileNode } from '../source/file-node.js';
import { readMarkdown, readRichText } from '../rich-text/read-rich-text.js';
import { DISPLAY_INDEX, STANDARD_FIELDS, type StandardField } from '../keys/standard-fields.js';
import { quote } from '../source/wording.js';
import { withParts } from '../personal-text/personal-fields.js';

const IN_WORDS: Readonly<Record<FieldType, string>> = {
  string: 'text (string)',
  number: 'a number',
  boolean: 'true or false (boolean)',
  richText: 'Markdown or a list of nodes (richText)',
};

/**
 * Standard fields in F1's order, then the others as written. `index` is the place of an item among
 * its siblings.
 */
export function readFields(node: FileNode | undefined, type: ExposedType, index?: number): Field[] {
  const standard = STANDARD_FIELDS[type];
  const given = new Map<string, Field>();
  for (const { key: sid, value } of node?.entries('fields as a map of names to values') ?? []) {
    const field = readField(value, sid, type);
    if (field) given.set(sid, withParts(value, field));
  }
  warnOfTypos(node, standard, given);
  const first = standard.map((field) => given.get(field.sid) ?? defaultOf(field, index));
  const names = new Set(standard.map((field) => field.sid));
  return [...first, ...[...given.values()].filter((field) => !names.has(field.sid))];
}

/**
 * A name that is almost that of a standard field which is missing (F1): probably that one,
 * misspelt.
 */
function warnOfTypos(
  node: FileNode | undefined,
  standard: readonly StandardField[],
  given: ReadonlyMap<string, Field>,
): void {
  const missing = standard
    .map(({ sid }) => sid)
    .filter((sid) => sid !== DISPLAY_INDEX && !given.has(sid));
  const names = new Set(standard.map(({ sid }) => sid));
  for (const sid of given.keys()) {
    const advice = names.has(sid) ? '' : didYouMean(sid, missing);
    if (advice)
      node?.find(sid)?.warnKey('field.likely-slip', `${quote(sid)} is a field of its own${advice}`);
  }
}

function defaultOf({ sid, type, default: value }: StandardField, index: number | undefined): Field {
  return { sid, type, value: (sid === DISPLAY_INDEX ? index : value) ?? null };
}

function readField(node: FileNode, sid: string, type: ExposedType): Field | undefined {
  const standard = STANDARD_FIELDS[type].find((field) => field.sid === sid);
  if (sid === '') node.reportKey('field.name', 'a field needs a name');
  if (standard?.sid === DISPLAY_INDEX) {
    node.reportKey(
      'field.display-index',
      `${DISPLAY_INDEX} cannot be given; it follows from the order of the items`,
    );
    return undefined;
  }
  const field = node.isMap() ? readLong(node, sid) : readShort(node, sid, standard);
  if (!field || !standard || field.type === standard.type) return field;
  const quoted =
    node.isMap() || node.isList() || standard.type === 'number'
      ? ''
      : `; as text it is written ${quote(node.written() ?? '')}`;
  node.report(
    'field.wrong-type',
    `field ${sid} of a ${type} is ${IN_WORDS[standard.type]}, not ${IN_WORDS[field.type]}${quoted}`,
  );
  return undefined;
}

/** As deep as bodies of requests may be (W7). */
const MAX_LEVELS = 64;

/** The type follows the value (F1). */
function readShort(
  node: FileNode,
  sid: string,
  standard: StandardField | undefined,
): Field | undefined {
  if (node.isList()) return { sid, type: 'richText', value: readRichText(node) as Json };
  const value = node.scalar();
  if (value === null) return readNull(node, sid, standard);
  if (typeof value === 'number') return { sid, type: 'number', value: readNumber(node, value) };
  if (typeof value === 'boolean') return { sid, type: 'boolean', value };
  if (standard?.type === 'richText')
    return { sid, type: 'richText', value: readMarkdown(node, String(value)) as Json };
  return { sid, type: 'string', value: String(value) };
}

function readNull(
  node: FileNode,
  sid: string,
  standard: StandardField | undefined,
): Field | undefined {
  if (standard) return { sid, type: standard.type, value: null };
  node.report(
    'field.null',
    `field ${sid} has no value, so its type is unknown; write it long: {type: string, value: null}`,
  );
  return undefined;
}

/** `{type, value}` */
function readLong(node: FileNode, sid: string): Field | undefined {
  const parts = node.parts(`field ${sid}`, ['type', 'value'], {
    children: 'rich text is a list of nodes: put it in brackets',
  });
  if (!parts.has('type'))
    node.reportMissing(
      'type',
      `field ${sid} is a map, so it needs type and value: {type: string, value: …}`,
    );
  const type = parts
    .get('type')
    ?.oneOf(FIELD_TYPES, 'the type of a field', 'field.unknown-type', 'no field type');
  const value = parts.get('value');
  if (!value) node.reportMissing('value', `field ${sid} needs a value; null empties it`);
  return type && value ? { sid, type, value: readValue(value, sid, type) } : undefined;
}

function readValue(node: FileNode, sid: string, type: FieldType): Json {
  const value = node.scalar();
  if (value === null) return null;
  if (type === 'richText' && node.isList()) return readRichText(node) as Json;
  if (type === 'richText' && typeof value === 'string') return readMarkdown(node, value) as Json;
  if (type === 'number' && typeof value === 'number') return readNumber(node, value);
  if (typeof value === type) return value as string | boolean;
  node.report('field.wrong-type', `field ${sid} is ${IN_WORDS[type]}, not ${node.describe()}`);
  return null;
}

/** Any JSON value, keys as they are written; `null` in place of what was reported. */
export function readJson(node: FileNode, level = 1): Json {
  if (level > MAX_LEVELS) {
    node.report('value.too-deep', `nested more than ${MAX_LEVELS} levels deep`);
    return null;
  }
  if (node.isList()) return node.elements().map((element) => readJson(element, level + 1));
  if (node.isMap())
    return Object.fromEntries(
      node.pairs().map(({ key, value }) => [key, readJson(value, level + 1)]),
    );
  const value = node.scalar();
  return typeof value === 'number' ? readNumber(node, value) : (value as string | boolean | null);
}

/** JSON has no infinity, no NaN and one zero. */
function readNumber(node: FileNode, value: number): number {
  if (Number.isFinite(value)) return value + 0;
  node.report('value.not-finite', `${node.written()} is not a number that JSON can hold`);
  return 0;
}
