import {
  INTENTS,
  type BlockType,
  type Intent,
  type ItemType,
  SPLIT_SUBJECTS,
  type SplitSubject,
  type Target,
} from '@waymark/domain/engine';
import fc from 'fast-check';
import { conditions } from './contexts.js';

export type RecipeType = Exclude<BlockType, ItemType>;

/** Identifiers by place, some of which objects would lose, reorder or already have. */
export const BLOCK_IDS = ['welcome', 'constructor', '2', 'toString', 'a-b', '10', 'last', 'Z'];

/** Numbers out of which a block is made once its neighbours are known; each shrinks by itself. */
export interface BlockRecipe {
  readonly type: RecipeType;
  /** Numbers that pick from the names of the type, and from the targets there are. */
  readonly paths: readonly { readonly names: readonly number[]; readonly to: number }[];
  /** Numbers of the items, in their order; only containers have them. */
  readonly items: readonly number[];
  readonly when: string;
  /**
   * Of the block, or of its items in turn: the condition by which it is left by itself, where it
   * has one (Z1).
   */
  readonly done: readonly (string | null)[];
  readonly by: SplitSubject;
  readonly trigger: { readonly intent: Intent; readonly version: number | 'latest' };
}

export interface FlowRecipe {
  readonly target: Target;
  readonly start: readonly number[];
  /** By place: the block at a place has always the same identifier. Null: there is none. */
  readonly blocks: readonly (BlockRecipe | null)[];
  /** The places in the order in which the file names their blocks. */
  readonly order: readonly number[];
}

const types: RecipeType[] = [
  'custom',
  'card',
  'modal',
  'checklist',
  'tour',
  'hints',
  'branch',
  'split',
  'gate',
  'delay',
  'webhook',
  'flow-trigger',
];

export function blockRecipes(
  type: fc.Arbitrary<RecipeType> = fc.constantFrom(
    ...types,
    'custom',
    'custom',
    'card',
    'modal',
    'gate',
    'gate',
    'split',
    'split',
    'branch',
    'delay',
    'delay',
    'tour',
    'checklist',
  ),
): fc.Arbitrary<BlockRecipe> {
  const path = fc.record({
    names: fc.array(fc.nat(4), { minLength: 1, maxLength: 2 }),
    to: fc.nat(99),
  });
  return fc.record({
    type,
    paths: fc.array(path, { minLength: 1, maxLength: 4 }),
    items: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
    when: conditions(),
    done: fc.array(fc.option(conditions(), { freq: 4 }), { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom(...SPLIT_SUBJECTS),
    trigger: fc.record({
      intent: fc.constantFrom(...INTENTS),
      version: fc.constantFrom<(number | 'latest')[]>(0, 7, 'latest'),
    }),
  });
}

export function targets(): fc.Arbitrary<Target> {
  return fc.oneof(
    { arbitrary: fc.constant<Target>({ users: 'all' }), weight: 4 },
    { arbitrary: conditions().map((when): Target => ({ users: 'matching', when })), weight: 2 },
    { arbitrary: fc.constant<Target>({ users: 'api-only' }), weight: 1 },
  );
}

export const starts = (): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(99), { minLength: 1, maxLength: 3 });
export const orders = (): fc.Arbitrary<number[]> =>
  fc.shuffledSubarray(
    BLOCK_IDS.map((_, place) => place),
    { minLength: BLOCK_IDS.length },
  );

export function flowRecipes(): fc.Arbitrary<FlowRecipe> {
  return fc.record({
    target: targets(),
    start: starts(),
    blocks: fc.array(blockRecipes(), { minLength: 1, maxLength: BLOCK_IDS.length }),
    order: orders(),
  });
}
