import {
  didYouMean,
  ITEM_TYPES,
  type BlockDraft,
  type ContainerType,
  type Done,
  type ItemDraft,
} from '../../engine/index.js';
import { BLOCK_KEYS, ITEM_KEYS, type WrittenType } from '../keys/block-keys.js';
import type { Entry, FileNode } from '../source/file-node.js';
import { readFields } from './read-fields.js';
import { readBranch, readDelay, readTrigger, readWebhook } from './read-logic.js';
import { readPaths } from './read-paths.js';
import { readSplit } from './read-split.js';
import { listOf, quote } from '../source/wording.js';

type Parts = ReadonlyMap<string, FileNode>;

const ADVICE = {
  uid: 'uids are made when the file is applied',
  'display-index': 'it follows from the order of the items',
};
const NAMED_PATHS_ADVICE = { ...ADVICE, next: 'write paths, with the names that lead on' };
const NO_PATHS = 'only the container leads on, write paths there';
const ITEM_ADVICE = {
  ...ADVICE,
  paths: NO_PATHS,
  next: NO_PATHS,
  items: 'items cannot hold items',
};

const TOUR_ADVICE = { done: 'users walk through a tour by themselves' };
const DONE_ADVICE = {
  when: 'when: <expression>, the condition',
  take: 'take: <name>, the name that it takes then',
};

/** One block of the file; what was reported is replaced by a harmless placeholder. */
export function readBlock({ key: id, value: node }: Entry, ids: ReadonlySet<string>): BlockDraft {
  const type = readType(node);
  if (!type) return readUntyped(id, node, ids);
  const keys = BLOCK_KEYS[type];
  const parts = node.parts(
    `${type} ${id}`,
    keys,
    keys.includes('next') ? ADVICE : NAMED_PATHS_ADVICE,
  );
  if (type === 'split')
    return { id, ...readWas(parts), fields: [], type, ...readSplit(parts, ids) };
  const { paths, names } = readPaths(parts, type, ids);
  const common = { id, ...readWas(parts), fields: [], paths };
  switch (type) {
    case 'branch':
      return { ...common, type, ...readBranch(parts) };
    case 'delay':
      return { ...common, type, ...readDelay(node, parts) };
    case 'webhook':
      return { ...common, type, ...readWebhook(node, parts) };
    case 'flow-trigger':
      return { ...common, type, ...readTrigger(node, parts) };
    case 'gate':
      return { ...common, type };
    case 'custom':
      return {
        ...common,
        type,
        ...(names && { names }),
        fields: readFields(parts.get('fields'), type),
        ...readDoneOfCustom(parts.get('done')),
      };
    case 'card':
    case 'modal':
      return {
        ...common,
        type,
        fields: readFields(parts.get('fields'), type),
        ...readDone(parts.get('done')),
      };
    default:
      return {
        ...common,
        type,
        fields: readFields(parts.get('fields'), type),
        items: readItems(parts, type),
      };
  }
}

function readType(node: FileNode): WrittenType | undefined {
  const types = Object.keys(BLOCK_KEYS);
  const given = node.find('type');
  if (!node.isMap())
    node.report('value.not-map', `a block is a map with at least a type, not ${node.describe()}`);
  else if (!given) node.reportMissing('type', `a block needs a type: ${listOf(types, 'or')}`);
  const type = given?.text('the type of a block');
  if (type === undefined || Object.hasOwn(BLOCK_KEYS, type)) return type as WrittenType | undefined;
  const isItem = Object.values<string>(ITEM_TYPES).includes(type);
  const advice = isItem
    ? '; it is written under the items of its container'
    : didYouMean(type, types);
  given!.report(
    'block.unknown-type',
    `no block type ${quote(type)}${advice || `; there are ${listOf(types)}`}`,
  );
  return undefined;
}

/**
 * Whatever its type was meant to be: others may lead here, and this one's targets can be checked.
 */
function readUntyped(id: string, node: FileNode, ids: ReadonlySet<string>): BlockDraft {
  const parts = new Map(node.pairs().map(({ key, value }) => [key, value]));
  return { id, type: 'custom', fields: [], ...readPaths(parts, 'custom', ids) };
}

function readWas(parts: Parts): { was?: string } {
  const was = parts.get('was')?.text('was');
  return was === undefined ? {} : { was };
}

function readItems(parts: Parts, type: ContainerType): ItemDraft[] {
  const items = parts.get('items');
  const entries =
    !items || items.isNull() ? [] : items.entries('items as a map of identifiers, in their order');
  return entries.map((entry, index) => readItem(entry, ITEM_TYPES[type], index));
}

/** An item without anything of its own may be left empty. */
function readItem(
  { key: id, value: node }: Entry,
  type: ItemDraft['type'],
  index: number,
): ItemDraft {
  const advice = { ...ITEM_ADVICE, ...(type === 'tourItem' && TOUR_ADVICE) };
  const parts: Parts = node.isNull()
    ? new Map()
    : node.parts(`item ${id}`, ITEM_KEYS[type], advice);
  const given = parts.get('type');
  if (given && given.written() !== type)
    given.report(
      'item.wrong-type',
      `items of this container are of type ${type}, not ${given.describe()}`,
    );
  return {
    id,
    ...readWas(parts),
    type,
    fields: readFields(parts.get('fields'), type, index),
    ...readDone(parts.get('done')),
  };
}

/** A condition; all but custom blocks complete by it (Z1). */
function readDone(node: FileNode | undefined): { done?: Done } {
  return node ? { done: { when: node.text('done, a condition') ?? '', take: 'complete' } } : {};
}

/** A custom block says also which of its names it takes. */
function readDoneOfCustom(node: FileNode | undefined): { done?: Done } {
  if (!node) return {};
  if (!node.isMap()) {
    node.report(
      'value.not-map',
      `done of a custom block is a map of when, a condition, and take, one of its names, not ${node.describe()}`,
    );
    return {};
  }
  const parts = node.parts('done', ['when', 'take']);
  for (const [key, advice] of Object.entries(DONE_ADVICE))
    if (!parts.has(key)) node.reportMissing(key, `done of a custom block needs ${advice}`);
  const [when, take] = [parts.get('when')?.text('when'), parts.get('take')?.text('take')];
  return when === undefined || take === undefined ? {} : { done: { when, take } };
}
