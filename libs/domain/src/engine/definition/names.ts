import { type BlockType, LOGIC_TYPES, type LogicType, type Path, type Way } from './definition.js';

type FixedType = Exclude<BlockType, 'custom' | 'split'>;

const FIXED_NAMES = {
  card: ['complete', 'dismiss'],
  modal: ['complete', 'dismiss'],
  checklist: ['complete', 'dismiss'],
  tour: ['complete', 'dismiss'],
  hints: ['complete', 'dismiss'],
  hintsItem: ['complete', 'dismiss'],
  checklistItem: ['complete', 'skip'],
  tourItem: ['next', 'previous'],
  branch: ['true', 'false'],
  gate: ['default'],
  delay: ['default'],
  webhook: ['default'],
  'flow-trigger': ['default'],
} as const satisfies Record<FixedType, readonly string[]>;

/**
 * Valid transition names of a block or item, in order; those of a custom block and of a split are
 * written under its paths (S3).
 */
export function transitionNames(block: {
  type: BlockType;
  paths?: readonly Path[];
  names?: readonly string[];
  ways?: readonly Way[];
}): readonly string[] {
  if (block.type === 'split') return (block.ways ?? []).map(({ name }) => name);
  if (block.type !== 'custom') return FIXED_NAMES[block.type];
  if (block.names) return block.names;
  return [...new Set((block.paths ?? []).flatMap((path) => path.names))];
}

/**
 * Whether blocks of a type act by themselves, so that no user ever has to move on from one (S2).
 */
export function isLogic(type: BlockType): type is LogicType {
  return (LOGIC_TYPES as readonly BlockType[]).includes(type);
}

/** Whether blocks of a type have but one name, `default`: there is nothing to choose (S3). */
export function hasOnePath(type: BlockType): boolean {
  return isLogic(type) && type !== 'split' && FIXED_NAMES[type].length === 1;
}

/**
 * The names of one transition, each once and in the order of the definition, or what is wrong with
 * them (S13). Independent of any state.
 */
export function checkNames(
  block: { readonly id: string; readonly names: readonly string[] },
  names: readonly string[],
): { names: string[] } | { problem: string } {
  const asked = new Set(names);
  const unknown = [...asked].filter((name) => !block.names.includes(name));
  if (unknown.length > 0)
    return {
      problem: `block ${block.id} has no transition ${list(unknown)}; ${allowed(block.names)}`,
    };
  if (asked.size === 0)
    return {
      problem: `a transition of block ${block.id} needs at least one name; ${allowed(block.names)}`,
    };
  if (asked.has('next') && asked.has('previous')) {
    return {
      problem: `block ${block.id} cannot go "next" and "previous" in one call; name one of them`,
    };
  }
  return { names: block.names.filter((name) => asked.has(name)) };
}

function allowed(names: readonly string[]): string {
  return names.length > 0 ? `it has ${list(names)}` : 'it has none';
}

function list(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
