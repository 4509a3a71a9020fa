import {
  ITEM_TYPES,
  type Block,
  type ContainerType,
  type FlowDefinition,
  type Item,
  type Path,
} from '@waymark/domain/engine';
import { BLOCK_IDS, type BlockRecipe, type FlowRecipe, type RecipeType } from './recipes.js';

const LOGIC = ['branch', 'gate', 'webhook', 'flow-trigger'];
const NAMES = ['go', 'back', 'constructor', 'A.b c', '3'];

/** Makes the flow that a recipe describes. It is always valid (S4). */
export function makeFlow(recipe: FlowRecipe): FlowDefinition {
  const places = recipe.order.filter((place) => recipe.blocks[place]);
  const ids = places.map((place) => BLOCK_IDS[place] ?? '');
  const start = [...new Set(recipe.start.map((number) => pick([...ids, 'finish'], number)))];
  const blocks = places.flatMap((place) => makeBlock(recipe, place) ?? []);
  return { format: 1, flow: 'generated', target: recipe.target, start, blocks };
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
        items: recipe.items.map((number) =>
          makeItem(base.uid, id, recipe.type as ContainerType, number),
        ),
      };
    case 'branch':
      return { ...base, type: 'branch', when: recipe.when };
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
    case 'custom':
      return { ...base, type: 'custom', ...namesWithoutPath(recipe, base.paths) };
    default:
      return { ...base, type: recipe.type };
  }
}

/** Some custom blocks have names that lead nowhere (S3); numbers that mean items elsewhere pick them. */
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
    const fresh = [...new Set(names.map((number) => pick(namesOf(recipe.type), number)))].filter(
      (name) => !known.has(name),
    );
    if (fresh.length > 0) paths.push({ names: fresh, to: target });
  }
  return paths;
}

/** Logic leads to logic at later places only, so that no cycle is automatic (S4); everything else leads anywhere. */
function findTarget(flow: FlowRecipe, place: number, number: number): string {
  const isLogic = (at: number) => LOGIC.includes(flow.blocks[at]?.type ?? '');
  const places = flow.blocks.flatMap((block, at) =>
    block && !(isLogic(place) && isLogic(at) && at <= place) ? [at] : [],
  );
  const ids = places.map((at) => BLOCK_IDS[at] ?? '');
  return pick([...ids, 'finish'], number);
}

function namesOf(type: RecipeType): string[] {
  if (type === 'custom') return NAMES;
  if (type === 'branch') return ['true', 'false'];
  return LOGIC.includes(type) ? ['default'] : ['complete', 'dismiss'];
}

function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}
