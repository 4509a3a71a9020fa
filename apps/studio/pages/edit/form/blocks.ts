import {
  FlowText,
  type Place,
  placesOfTargets,
  put,
  remove,
  renameKey,
  renameTargets,
  renameTargetsOf,
  writeName,
  writeTargets,
} from '@waymark/domain/flow-files/text';

/** Types of blocks in the words of those who make flows. */
export const BLOCK_TYPES = {
  modal: 'Modal: a window over the page',
  card: 'Card: a box in the page',
  checklist: 'Checklist: things to do in any order',
  tour: 'Tour: one step after the other',
  hints: 'Hints: several at the same time',
  custom: 'Custom: fields and paths of your own',
  branch: 'Branch: decides by a condition',
  split: 'Split: sends a share of users each way',
  gate: 'Gate: waits until every path that leads to it was taken',
  delay: 'Delay: goes on after some time',
  webhook: 'Webhook: sends a request to another system',
  'flow-trigger': 'Flow trigger: starts, stops or finishes another flow',
} as const;
export type BlockTypeName = keyof typeof BLOCK_TYPES;

export const isContainer = (type: string): boolean => ['checklist', 'tour', 'hints'].includes(type);
/** Blocks that go on by themselves have one path, under `next`. */
export const hasNext = (type: string): boolean =>
  ['gate', 'delay', 'webhook', 'flow-trigger'].includes(type);

/** What a new block of a type is written as, with one step for everything below it. */
const BODIES: Readonly<Record<BlockTypeName, (to: string) => string[]>> = {
  modal: (to) => ['fields:', '  title: A title', 'paths:', `  complete: ${to}`, `  dismiss: ${to}`],
  card: (to) => ['fields:', '  title: A title', 'paths:', `  complete: ${to}`, `  dismiss: ${to}`],
  checklist: (to) => container('A list of things to do', to),
  tour: (to) => container(undefined, to),
  hints: (to) => container(undefined, to),
  custom: (to) => ['fields:', '  text: A text', 'paths:', `  done: ${to}`],
  branch: (to) => [
    'when: user.properties.plan == "pro"',
    'paths:',
    `  true: ${to}`,
    `  false: ${to}`,
  ],
  split: (to) => ['paths:', `  a: { share: 50, to: ${to} }`, `  b: { share: 50, to: ${to} }`],
  gate: (to) => [`next: ${to}`],
  delay: (to) => ['for: 1 day', `next: ${to}`],
  webhook: (to) => ['url: https://example.com/hook', `next: ${to}`],
  'flow-trigger': (to) => ['flow: another-flow', 'intent: start', `next: ${to}`],
};

function container(title: string | undefined, to: string): string[] {
  const fields = title === undefined ? [] : ['fields:', `  title: ${title}`];
  return [
    ...fields,
    'items:',
    '  ITEM:',
    '    fields:',
    '      title: A title',
    'paths:',
    `  complete: ${to}`,
    `  dismiss: ${to}`,
  ];
}

/** Identifiers of blocks and items, and what else no block may be called. */
function takenIdentifiers(source: FlowText): Set<string> {
  const blocks = source.keys(['blocks']);
  const items = blocks.flatMap((block) => source.keys(['blocks', block, 'items']));
  return new Set(['start', 'finish', ...blocks, ...items]);
}

/** What users read as the title of a block or item, if it has one. */
export const titleIn = (source: FlowText, place: Place): string | undefined =>
  source.value([...place, 'fields', 'title'])?.trim() || undefined;

/**
 * What people call a block or item of the draft, by its identifier alone: its title before the
 * identifier (T16).
 */
export function nameIn(source: FlowText, id: string): string {
  const container = source
    .keys(['blocks'])
    .find((block) => source.keys(['blocks', block, 'items']).includes(id));
  const isBlock = source.keys(['blocks']).includes(id);
  const title = titleIn(
    source,
    isBlock || container === undefined ? ['blocks', id] : ['blocks', container, 'items', id],
  );
  return title === undefined ? id : `${title} (${id})`;
}

export const isTaken = (source: FlowText, name: string): boolean =>
  takenIdentifiers(source).has(name);

/** An identifier that no block or item has. */
export function freeIdentifier(source: FlowText, wanted: string): string {
  const taken = takenIdentifiers(source);
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Writes a new block behind the others, which leads to the given target. */
export function addBlock(
  source: FlowText,
  type: BlockTypeName,
  to = 'finish',
): { text: string; id: string } {
  const id = freeIdentifier(source, type);
  const item = freeIdentifier(FlowText.of(put(source.text, ['blocks', id], '')), 'item');
  const lines = [`type: ${type}`, ...BODIES[type](writeName(to))].map((line) =>
    line.replace('ITEM:', `${item}:`),
  );
  const text = put(source.text, ['blocks', id], ({ isFlow, indent }) => {
    if (isFlow) return `{ type: ${type} }`;
    return `\n${lines.map((line) => ' '.repeat(indent) + line).join('\n')}`;
  });
  return { text, id };
}

/**
 * Puts a new block between two that lead to each other, on every path that does; `start` and
 * `finish` are ends like others.
 */
export function insertBetween(
  source: FlowText,
  from: string,
  to: string,
  type: BlockTypeName,
): { text: string; id: string } {
  const { text, id } = addBlock(source, type, to);
  return { text: renameTargetsOf(text, from, to, id), id };
}

/** Removes a block; paths to it lead where its first path led. */
export function removeBlock(source: FlowText, id: string): string {
  const place = ['blocks', id];
  const next = placesOfTargets(source, id)
    .slice(0, 2)
    .flatMap((targets) => source.list(targets));
  const to = next.find((target) => target !== id) ?? 'finish';
  const gone = [id, ...source.keys([...place, 'items'])].reduce(
    (text, part) => removeTexts(text, part),
    remove(source.text, place),
  );
  return mendLists(renameTargets(gone, id, to));
}

/** Has translations follow a block or item to its new identifier, in every language (X1). */
function renameTexts(text: string, id: string, name: string): string {
  return FlowText.of(text)
    .keys(['languages'])
    .reduce((changed, tag) => renameKey(changed, ['languages', tag, id], name), text);
}

/**
 * Takes the translations of a block or item away, or of one field of it, since nothing is left to
 * translate (X1).
 */
export function removeTexts(text: string, id: string, field?: string): string {
  const below = field === undefined ? [id] : [id, field];
  return FlowText.of(text)
    .keys(['languages'])
    .reduce((changed, tag) => remove(changed, ['languages', tag, ...below]), text);
}

/** Removes repeated targets from a list. */
function mendLists(text: string): string {
  const source = FlowText.of(text);
  const places = ['start', ...source.keys(['blocks'])].flatMap((block) =>
    placesOfTargets(source, block),
  );
  return places.reduce((changed, place) => {
    const targets = source.list(place);
    const once = [...new Set(targets)];
    return once.length === targets.length ? changed : put(changed, place, writeTargets(once));
  }, text);
}

/**
 * Gives a block or an item another identifier everywhere, and notes the one that it was last saved
 * under, so that users who are in it stay in it (F3). Renamed back, the note is taken away.
 */
export function renameKept(source: FlowText, place: Place, name: string, saved: FlowText): string {
  const id = String(place.at(-1));
  const above = place.slice(0, -1);
  const was = source.value([...place, 'was']);
  const former = was ?? (saved.keys(above).includes(id) ? id : undefined);
  const moved = renameTexts(renameKey(source.text, place, name), id, name);
  const renamed = place.length === 2 ? renameTargets(moved, id, name) : moved;
  const note = [...above, name, 'was'];
  if (former === undefined) return renamed;
  return former === name ? remove(renamed, note) : put(renamed, note, writeName(former));
}
