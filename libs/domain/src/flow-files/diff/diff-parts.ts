import { type Block, formatDuration, type Item, transitionNames } from '../../engine/index.js';
import type { BlockTargets } from '../keys/targets-by-names.js';
import type { Place } from '../source/file-problem.js';
import { diffFields } from './diff-fields.js';
import { diffPaths, type Names } from './diff-paths.js';
import { changed, type Difference } from './difference.js';

type Part = Block | Item;

/** Blocks of a flow, or items of a container. */
export function diffParts(
  place: Place,
  before: readonly Part[],
  after: readonly Part[],
  names: Names,
): Difference[] {
  const former = new Map(before.map((part) => [part.uid, part]));
  const present = new Set(after.map((part) => part.uid));
  const gone = new Map(
    before.filter((part) => !present.has(part.uid)).map((part) => [part.id, part]),
  );
  const added = new Set(after.filter((part) => !former.has(part.uid)).map((part) => part.id));
  const removed = [...gone.values()].filter((part) => !added.has(part.id));
  return [
    ...removed.map((part): Difference => ({
      kind: 'removed',
      place: [...place, part.id],
      text: `${describe(part, names)} is removed`,
    })),
    ...after.flatMap((part) =>
      diffPart([...place, part.id], former.get(part.uid) ?? gone.get(part.id), part, names),
    ),
    ...diffOrder(place, before, after, names),
  ];
}

/** `before` is the same part, or the one that was there under its identifier. */
function diffPart(place: Place, before: Part | undefined, after: Part, names: Names): Difference[] {
  if (!before) return [{ kind: 'added', place, text: `${describe(after, names)} is added` }];
  if (before.uid === after.uid)
    return [
      ...diffIdentifier(place, before, after, names),
      ...diffContent(place, before, after, names),
    ];
  const text = `${describe(after, names)} replaces ${before.type} ${before.id}, as a new block that nobody has seen`;
  return [{ kind: 'replaced', place, text }];
}

function diffIdentifier(place: Place, before: Part, after: Part, names: Names): Difference[] {
  if (before.id === after.id) return [];
  return [{ kind: 'renamed', place, text: `${describe(before, names)} is now called ${after.id}` }];
}

/** Both are of the same type, as they have the same uid (F3). */
function diffContent(place: Place, before: Part, after: Part, names: Names): Difference[] {
  const what = describe(after, names);
  const differences = [
    ...diffFields([...place, 'fields'], what, before.fields, after.fields),
    ...diffSettings(place, what, before, after),
  ];
  const [was, is] = [doneOf(before), doneOf(after)];
  differences.push(...changed([...place, 'done'], `what ${what} is done by`, was, is));
  if ('paths' in before && 'paths' in after)
    differences.push(
      ...diffPaths([...place, 'paths'], what, leadingOf(before), leadingOf(after), names),
    );
  if ('items' in before && 'items' in after)
    differences.push(...diffParts([...place, 'items'], before.items, after.items, names));
  return differences;
}

/** What takes a name by itself, as one text (Z1). */
function doneOf(part: Part): string | undefined {
  if (!('done' in part) || !part.done) return undefined;
  const { when, take } = part.done;
  return part.type === 'custom' ? `${take}: ${when}` : when;
}

function diffSettings(place: Place, what: string, before: Part, after: Part): Difference[] {
  const setting = (
    key: string,
    name: string,
    from: Parameters<typeof changed>[2],
    to: Parameters<typeof changed>[3],
  ) => changed([...place, key], `${name} of ${what}`, from, to);
  if (before.type === 'split' && after.type === 'split')
    return [
      ...setting('by', 'the subject', before.by, after.by),
      ...diffShares(place, what, before, after),
    ];
  if (before.type === 'branch' && after.type === 'branch')
    return setting('when', 'the condition', before.when, after.when);
  if (before.type === 'delay' && after.type === 'delay')
    return setting('for', 'the time', formatDuration(before.for), formatDuration(after.for));
  if (before.type === 'flow-trigger' && after.type === 'flow-trigger') {
    return [
      ...setting('flow', 'the flow', before.flow, after.flow),
      ...setting('intent', 'the intent', before.intent, after.intent),
      ...setting('version', 'the version', before.version, after.version),
    ];
  }
  if (before.type !== 'webhook' || after.type !== 'webhook') return [];
  return [
    ...setting('url', 'the url', before.url, after.url),
    ...setting(
      'headers',
      'headers',
      before.headers.map(describeHeader),
      after.headers.map(describeHeader),
    ),
    ...setting('body', 'the body', before.body, after.body),
  ];
}

type Split = Extract<Block, { type: 'split' }>;

/** A way of a split may lead nowhere, as a name of a custom block may. */
const leadingOf = (block: Block): BlockTargets =>
  block.type === 'split'
    ? { paths: block.paths, names: transitionNames(block) as string[] }
    : block;

/** A way that is gone is reported with its path. */
function diffShares(place: Place, what: string, before: Split, after: Split): Difference[] {
  const former = new Map(before.ways.map(({ name, share }) => [name, share]));
  return after.ways.flatMap(({ name, share }) =>
    changed(
      [...place, 'paths', name, 'share'],
      `the share of path ${name} of ${what}`,
      former.get(name),
      share,
    ),
  );
}

function diffOrder(
  place: Place,
  before: readonly Part[],
  after: readonly Part[],
  { nameOf }: Names,
): Difference[] {
  const [had, has] = [new Set(before.map(({ uid }) => uid)), new Set(after.map(({ uid }) => uid))];
  const kept = after.filter(({ uid }) => had.has(uid));
  const former = before.filter(({ uid }) => has.has(uid));
  if (kept.every((part, index) => part.uid === former[index]!.uid)) return [];
  const what = place.length === 1 ? 'blocks' : `the items of ${nameOf(String(place[1]))}`;
  const text = `the order of ${what} is ${kept.map(({ id }) => nameOf(id)).join(', ')}`;
  return [{ kind: 'reordered', place, text }];
}

function describe({ type, id }: Part, { nameOf }: Names): string {
  return `${type} ${nameOf(id)}`;
}

function describeHeader({ name, value }: { name: string; value: string }): string {
  return `${name}: ${value}`;
}
