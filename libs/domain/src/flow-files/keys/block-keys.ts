import type { BlockType, ItemType } from '../../engine/index.js';

/** Types that can be written in a file; those of items follow from their container (S2). */
export type WrittenType = Exclude<BlockType, ItemType>;

const plain = ['type', 'was', 'fields', 'done', 'paths'] as const;
const container = ['type', 'was', 'fields', 'items', 'paths'] as const;

const KEYS = {
  custom: plain,
  card: plain,
  modal: plain,
  checklist: container,
  tour: container,
  hints: container,
  branch: ['type', 'was', 'when', 'paths'],
  split: ['type', 'was', 'by', 'paths'],
  gate: ['type', 'was', 'next', 'paths'],
  delay: ['type', 'was', 'for', 'next', 'paths'],
  webhook: ['type', 'was', 'url', 'headers', 'body', 'next', 'paths'],
  'flow-trigger': ['type', 'was', 'flow', 'intent', 'version', 'next', 'paths'],
} as const satisfies Record<WrittenType, readonly string[]>;
export type BlockKey = (typeof KEYS)[WrittenType][number];

/** Keys that a block of each type may have. */
export const BLOCK_KEYS: Readonly<Record<WrittenType, readonly BlockKey[]>> = KEYS;

/** Keys that an item may have; it has no paths of its own (S25). */
export const ITEM_KEYS: Readonly<Record<ItemType, readonly string[]>> = {
  checklistItem: ['type', 'was', 'fields', 'done'],
  hintsItem: ['type', 'was', 'fields', 'done'],
  tourItem: ['type', 'was', 'fields'],
};
