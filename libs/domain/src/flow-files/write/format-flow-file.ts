import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';
import {
  type Attention,
  type Block,
  type Done,
  type ExposedType,
  type Field,
  type FieldType,
  type FlowDefinition,
  formatDuration,
  hasOnePath,
  type Target,
  type Translation,
} from '../../engine/index.js';
import type { Json } from '../../targeting/json/json.js';
import type { RichTextNode } from '../rich-text/rich-text-node.js';
import { findMarkdown } from '../rich-text/to-markdown.js';
import { asWritten } from '../personal-text/personal-fields.js';
import { DISPLAY_INDEX, STANDARD_FIELDS } from '../keys/standard-fields.js';
import { targetsByNames } from '../keys/targets-by-names.js';

type Entries = (readonly [key: string, value: Node])[];

/** The short form of a flow file: applying it to the flow it was made from changes nothing (F1). */
export function formatFlowFile(definition: FlowDefinition): string {
  const { flow, name, language, languages, target, end, goal, attention, start, blocks } =
    definition;
  const document = new Document();
  document.contents = map([
    ['flow', scalar(flow)],
    ...optional('name', name),
    ...optional('language', language),
    ...targetEntries(target),
    ...attentionEntries(attention),
    ...optional('end', end),
    ...optional('goal', goal),
    ['start', targets(start)],
    ['blocks', map(blocks.map((block) => [block.id, blockNode(block)]))],
    ...(languages ? [['languages', languagesNode(languages)] as const] : []),
  ]);
  // Quotes over several lines would lose lines that hold nothing but a blank.
  return document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}

function languagesNode(languages: readonly Translation[]): Node {
  return map(
    languages.map(({ language, blocks }) => [
      language,
      map(
        blocks.map(({ id, fields }) => [
          id,
          map(fields.map((field) => [field.sid, fieldNode(asWritten(field), true)])),
        ]),
      ),
    ]),
  );
}

function targetEntries(target: Target): Entries {
  const entries: Entries = [
    ...(target.users === 'all' ? [] : ([['users', scalar(target.users)]] as const)),
    ...('when' in target ? ([['when', scalar(target.when)]] as const) : []),
    ...optional('from', target.from),
    ...optional('until', target.until),
  ];
  return entries.length === 0 ? [] : [['target', map(entries)]];
}

function attentionEntries(attention: Attention | undefined): Entries {
  if (!attention) return [];
  const { group, priority } = attention;
  const first: Entries = priority === undefined ? [] : [['priority', scalar(priority)]];
  return [['attention', map([['group', scalar(group)], ...first])]];
}

function blockNode(block: Block): Node {
  return map([['type', scalar(block.type)], ...ownEntries(block), ...pathEntries(block)]);
}

/** What only blocks of this type have. */
function ownEntries(block: Block): Entries {
  switch (block.type) {
    case 'gate':
      return [];
    case 'split':
      return block.by === 'user' ? [] : [['by', scalar(block.by)]];
    case 'branch':
      return [['when', scalar(block.when)]];
    case 'delay':
      return [['for', scalar(formatDuration(block.for))]];
    case 'webhook':
      return [
        ['url', scalar(block.url)],
        ...unlessEmpty(
          'headers',
          block.headers.map(({ name, value }) => [name, scalar(value)]),
        ),
        ...(block.body === undefined ? [] : ([['body', json(block.body)]] as const)),
      ];
    case 'flow-trigger':
      return [
        ['flow', scalar(block.flow)],
        ['intent', scalar(block.intent)],
        ...(block.version === 'latest' ? [] : ([['version', scalar(block.version)]] as const)),
      ];
    case 'custom':
    case 'card':
    case 'modal':
      return [...fieldEntries(block.type, block.fields), ...doneEntries(block)];
    default:
      return [
        ...fieldEntries(block.type, block.fields),
        [
          'items',
          map(
            block.items.map((item) => [
              item.id,
              map([...fieldEntries(item.type, item.fields), ...doneEntries(item)]),
            ]),
          ),
        ],
      ];
  }
}

/** Only a custom block says which name it takes (Z1). */
function doneEntries({ type, done }: { type: ExposedType | 'gate'; done?: Done }): Entries {
  if (!done) return [];
  const [when, take] = [scalar(done.when), scalar(done.take)];
  return [
    [
      'done',
      type === 'custom'
        ? map([
            ['when', when],
            ['take', take],
          ])
        : when,
    ],
  ];
}

/** Leaves out those that would be the same without being written. */
function fieldEntries(type: ExposedType, fields: readonly Field[]): Entries {
  const standard = new Map(STANDARD_FIELDS[type].map((field) => [field.sid, field]));
  const written = fields.filter(({ sid, value }) => {
    const known = standard.get(sid);
    return sid !== DISPLAY_INDEX && !(known && value === (known.default ?? null));
  });
  return unlessEmpty(
    'fields',
    written.map((field) => [field.sid, fieldNode(asWritten(field), standard.has(field.sid))]),
  );
}

function fieldNode({ type, value }: Field, isStandard: boolean): Node {
  if (type === 'richText' && value !== null)
    return richTextNode(value as unknown as RichTextNode[], isStandard);
  if (value === null && !isStandard) return longField(type, scalar(null));
  return json(value);
}

/** Markdown where it says the same, else the nodes. */
function richTextNode(nodes: RichTextNode[], isStandard: boolean): Node {
  const markdown = findMarkdown(nodes);
  if (markdown === undefined) return json(nodes as unknown as Json);
  return isStandard ? scalar(markdown) : longField('richText', scalar(markdown));
}

function longField(type: FieldType, value: Node): Node {
  return map([
    ['type', scalar(type)],
    ['value', value],
  ]);
}

function pathEntries(block: Block): Entries {
  if (block.type === 'split') return [['paths', map(wayEntries(block))]];
  const entries = [...targetsByNames(block)].map(([key, ids]) => [key, targets(ids)] as const);
  const [only] = entries;
  if (hasOnePath(block.type)) return only ? [['next', only[1]]] : [];
  return unlessEmpty('paths', entries);
}

const wayEntries = ({ ways, paths }: Extract<Block, { type: 'split' }>): Entries =>
  ways.map(({ name, share }) => {
    const to = paths.filter(({ names }) => names.includes(name)).map((path) => path.to);
    const way = map([
      ['share', scalar(share)],
      ...(to.length > 0 ? [['to', targets(to)] as const] : []),
    ]);
    way.flow = true;
    return [name, way];
  });

/** One target is written without brackets. */
function targets(ids: readonly string[]): Node {
  return ids.length === 1 ? scalar(ids[0]!) : list(ids.map(scalar));
}

function unlessEmpty(key: string, entries: Entries): Entries {
  return entries.length === 0 ? [] : [[key, map(entries)]];
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
  node.items = entries.map(([key, value]) => new Pair(keyOf(key), value));
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
const READABLE_LINES =
  /^[^\s\p{C}][^\p{Cc}\p{Cs}\u2028\u2029\ufeff]*(\n[^\p{Cc}\p{Cs}\u2028\u2029\ufeff]*)*$/u;

function scalar(value: string | number | boolean | null): Scalar {
  const node = new Scalar(value);
  if (hasLines(value))
    node.type = READABLE_LINES.test(value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
  return node;
}

/** Keys are the very texts written, so that `true` needs no quotes. */
function keyOf(key: string): Scalar {
  return key === 'true' || key === 'false' ? new Scalar(key === 'true') : onOneLine(scalar(key));
}

/** Keys, and what is within `{}` or `[]`. */
function onOneLine<N extends Node | null>(node: N): N {
  if (node instanceof Scalar && hasLines(node.value)) node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

function hasLines(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n');
}
