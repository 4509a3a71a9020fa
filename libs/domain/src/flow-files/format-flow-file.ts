import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';
import type { Block, Field, FlowDefinition, Item } from '../engine/index.js';
import type { Json } from '../json/json.js';
import { DISPLAY_INDEX } from './standard-fields.js';
import { targetsByNames } from './targets-by-names.js';

type Entries = (readonly [key: string, value: Node])[];

/** The long form of a flow file: applying it to the flow it was made from changes nothing (F1). */
export function formatFlowFile({ flow, name, target, start, blocks }: FlowDefinition): string {
  const document = new Document();
  document.contents = map([
    ['flow', scalar(flow)],
    ...optional('name', name),
    ['target', map([['users', scalar(target.users)], ...('when' in target ? ([['when', scalar(target.when)]] as const) : [])])],
    ['start', list(start.map(scalar))],
    ['blocks', map(blocks.map((block) => [block.id, blockNode(block)]))],
  ]);
  // Quotes over several lines would lose lines that hold nothing but a blank.
  return document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}

function blockNode(block: Block): Node {
  return map([['type', scalar(block.type)], ...ownEntries(block), ...pathEntries(block)]);
}

/** What only blocks of this type have. */
function ownEntries(block: Block): Entries {
  switch (block.type) {
    case 'gate':
      return [];
    case 'branch':
      return [['when', scalar(block.when)]];
    case 'webhook':
      return [
        ['url', scalar(block.url)],
        ['headers', map(block.headers.map(({ name, value }) => [name, scalar(value)]))],
        ...(block.body === undefined ? [] : ([['body', json(block.body)]] as const)),
      ];
    case 'flow-trigger':
      return [
        ['flow', scalar(block.flow)],
        ['intent', scalar(block.intent)],
        ['version', scalar(block.version)],
      ];
    case 'custom':
    case 'card':
    case 'modal':
      return fieldEntries(block.fields);
    default:
      return [...fieldEntries(block.fields), ['items', map(block.items.map((item) => [item.id, itemNode(item)]))]];
  }
}

function itemNode(item: Item): Node {
  return map([['type', scalar(item.type)], ...fieldEntries(item.fields.filter(({ sid }) => sid !== DISPLAY_INDEX))]);
}

function fieldEntries(fields: readonly Field[]): Entries {
  return [['fields', map(fields.map((field) => [field.sid, fieldNode(field)]))]];
}

function fieldNode({ type, value }: Field): Node {
  const node = map([
    ['type', scalar(type)],
    ['value', json(value)],
  ]);
  node.flow = type !== 'richText' || value === null;
  if (node.flow) node.items.forEach(({ value }) => onOneLine(value));
  return node;
}

function pathEntries(block: Block): Entries {
  return [['paths', map([...targetsByNames(block)].map(([key, targets]) => [key, list(targets.map(scalar))]))]];
}

function optional(key: string, value: string | undefined): Entries {
  return value === undefined ? [] : [[key, scalar(value)]];
}

function json(value: Json): Node {
  if (Array.isArray(value)) return list(value.map(json));
  if (value === null || typeof value !== 'object') return scalar(value);
  return map(Object.entries(value).map(([key, inner]) => [key, json(inner)]));
}

function map(entries: Entries): YAMLMap<Scalar, Node> {
  const node = new YAMLMap<Scalar, Node>();
  node.flow = entries.length === 0;
  node.items = entries.map(([key, value]) => new Pair(onOneLine(scalar(key)), value));
  return node;
}

function list(items: Node[]): Node {
  const node = new YAMLSeq();
  node.flow = items.every((item) => item instanceof Scalar);
  if (node.flow) items.forEach((item) => onOneLine(item));
  node.items = items;
  return node;
}

/** Lines a person can read. The others yaml may write in a way that it reads as something else. */
const READABLE_LINES = /^[^\s\p{C}][^\p{Cc}\p{Cs}\u2028\u2029\ufeff]*(\n[^\p{Cc}\p{Cs}\u2028\u2029\ufeff]*)*$/u;

function scalar(value: string | number | boolean | null): Scalar {
  const node = new Scalar(value);
  if (hasLines(value)) node.type = READABLE_LINES.test(value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
  return node;
}

/** Keys, and what stands within `{}` or `[]`. */
function onOneLine<N extends Node | null>(node: N): N {
  if (node instanceof Scalar && hasLines(node.value)) node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

function hasLines(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n');
}
