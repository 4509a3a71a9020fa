import {
  ITEM_TYPES,
  type Block,
  type ContainerType,
  type Done,
  type FlowDefinition,
  type Item,
  partsOf,
  type Path,
  transitionNames,
  type Way,
} from '@waymark/domain/engine';
import { SEGMENTS } from './contexts.js';
import { BLOCK_IDS, type BlockRecipe, type FlowRecipe } from './recipes.js';

const LOGIC = ['branch', 'split', 'gate', 'delay', 'webhook', 'flow-trigger'];
/** What the walk passes at once. */
const IMMEDIATE = LOGIC.filter((type) => type !== 'delay');
const WAYS = ['short', 'constructor', 'none', '2'];
const NAMES = ['go', 'back', 'constructor', 'A.b c', '3'];

/** Makes the flow that a recipe describes. It is always valid (S4). */
export function makeFlow(recipe: FlowRecipe): FlowDefinition {
  const places = recipe.order.filter((place) => recipe.blocks[place]);
  const ids = places.map((place) => BLOCK_IDS[place] ?? '');
  const start = [...new Set(recipe.start.map((number) => pick(orFinish(ids), number)))];
  const blocks = places.flatMap((place) => makeBlock(recipe, place) ?? []);
  const isNewer = partsOf({ blocks }).some(
    (part) => part.type === 'delay' || part.type === 'split' || 'done' in part,
  );
  const text = JSON.stringify([recipe.target, blocks]);
  return {
    format: isNewer || /user\.events|segment\(/.test(text) ? 2 : 1,
    flow: 'generated',
    target: recipe.target,
    ...(text.includes('segment(') && { segments: SEGMENTS }),
    start,
    blocks,
  };
}

function makeBlock(flow: FlowRecipe, place: number): Block | null {
  const recipe = flow.blocks[place];
  const id = BLOCK_IDS[place];
  if (!recipe || !id) return null;
  const base = {
    id,
    uid: `${id}~${recipe.type}`,
    fields: [],
    paths: makePaths(flow, place, recipe),
  };
  switch (recipe.type) {
    case 'checklist':
    case 'tour':
    case 'hints':
      return {
        ...base,
        type: recipe.type,
        items: recipe.items.map((number, index) => ({
          ...makeItem(base.uid, id, recipe.type as ContainerType, number),
          ...(recipe.type !== 'tour' && doneOf(recipe, index, ['complete'])),
        })),
      };
    case 'branch':
      return { ...base, type: 'branch', when: recipe.when };
    case 'delay':
      return { ...base, type: 'delay', for: (1 + place) * 60_000 };
    case 'split':
      return { ...base, type: 'split', by: recipe.by, ways: waysOf(recipe) };
    case 'webhook':
      return {
        ...base,
        type: 'webhook',
        url: 'https://hooks.acme.test/',
        headers: [{ name: 'x-place', value: id }],
        body: { place },
      };
    case 'flow-trigger':
      return { ...base, type: 'flow-trigger', flow: 'other', ...recipe.trigger };
    case 'custom': {
      const custom = { ...base, type: 'custom' as const, ...namesWithoutPath(recipe, base.paths) };
      return { ...custom, ...doneOf(recipe, 0, transitionNames(custom)) };
    }
    case 'gate':
      return { ...base, type: recipe.type };
    default:
      return { ...base, type: recipe.type, ...doneOf(recipe, 0, ['complete']) };
  }
}

/** Of the block itself, or of one of its items. */
function doneOf(
  { done, trigger }: BlockRecipe,
  index: number,
  names: readonly string[],
): { done?: Done } {
  const when = done[index];
  if (!when || names.length === 0) return {};
  return { done: { when, take: pick(names, trigger.version === 'latest' ? 1 : trigger.version) } };
}

/** Shares of which some are 0, but not all; numbers that mean items elsewhere make them. */
const waysOf = ({ items }: BlockRecipe): Way[] =>
  WAYS.slice(0, items.length + 1).map((name, index) => ({
    name,
    share: index === 0 ? 1 : (items[index] ?? 0),
  }));

/**
 * Some custom blocks have names that lead nowhere (S3); numbers that mean items elsewhere pick
 * them.
 */
function namesWithoutPath({ items }: BlockRecipe, paths: readonly Path[]): { names?: string[] } {
  if (items.length < 2) return {};
  return {
    names: [
      ...new Set([
        ...items.map((number) => pick(NAMES, number)),
        ...paths.flatMap(({ names }) => names),
      ]),
    ],
  };
}

/** A uid belongs to the identifier, the type and the container (F3). */
function makeItem(container: string, id: string, type: ContainerType, number: number): Item {
  return {
    id: `${id}-${number}`,
    uid: `${container}~${number}`,
    type: ITEM_TYPES[type],
    fields: [],
  };
}

/** One path per target; no target twice for the same name. */
function makePaths(flow: FlowRecipe, place: number, recipe: BlockRecipe): Path[] {
  const paths: Path[] = [];
  for (const { names, to } of recipe.paths) {
    const target = findTarget(flow, place, to);
    const known = new Set(paths.filter((path) => path.to === target).flatMap((path) => path.names));
    const fresh = [...new Set(names.map((number) => pick(namesOf(recipe), number)))].filter(
      (name) => !known.has(name),
    );
    if (fresh.length > 0) paths.push({ names: fresh, to: target });
  }
  return paths;
}

/**
 * What goes on by itself leads to such blocks at later places only, so that no cycle is automatic
 * (S4, Z1); everything else leads anywhere.
 */
function findTarget(flow: FlowRecipe, place: number, number: number): string {
  const isAutomatic = (at: number) => goesOn(flow.blocks[at] ?? null);
  const places = flow.blocks.flatMap((block, at) =>
    block && !(isAutomatic(place) && isAutomatic(at) && at <= place) ? [at] : [],
  );
  const ids = places.map((at) => BLOCK_IDS[at] ?? '');
  return pick(orFinish(ids), number);
}

/** Ways to the finish are rare, since nothing happens behind them. */
const orFinish = (ids: readonly string[]): string[] => [
  ...Array.from({ length: 8 }, () => ids).flat(),
  'finish',
];

function goesOn(block: BlockRecipe | null): boolean {
  if (block === null || block.type === 'tour') return false;
  if (LOGIC.includes(block.type)) return IMMEDIATE.includes(block.type);
  const isContainer = block.type === 'checklist' || block.type === 'hints';
  return isContainer ? block.items.every((_, index) => block.done[index]) : Boolean(block.done[0]);
}

function namesOf(recipe: BlockRecipe): string[] {
  const { type } = recipe;
  if (type === 'custom') return NAMES;
  if (type === 'split') return waysOf(recipe).map(({ name }) => name);
  if (type === 'branch') return ['true', 'false'];
  return LOGIC.includes(type) ? ['default'] : ['complete', 'dismiss'];
}

function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}
