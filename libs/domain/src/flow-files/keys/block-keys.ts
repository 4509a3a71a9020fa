import type { BlockType } from '../../engine/index.js';

/** Types that can be written in a file; those of items follow from their container (S2). */
export type WrittenType = Exclude<BlockType, 'checklistItem' | 'tourItem' | 'hintsItem'>;

const plain = ['type', 'was', 'fields', 'paths'] as const;
const container = ['type', 'was', 'fields', 'items', 'paths'] as const;

const KEYS = {
  custom: plain,
  card: plain,
  modal: plain,
  checklist: container,
  tour: container,
  hints: container,
  branch: ['type', 'was', 'when', 'paths'],
  gate: ['type', 'was', 'next', 'paths'],
  webhook: ['type', 'was', 'url', 'headers', 'body', 'next', 'paths'],
  'flow-trigger': ['type', 'was', 'flow', 'intent', 'version', 'next', 'paths'],
} as const satisfies Record<WrittenType, readonly string[]>;
export type BlockKey = (typeof KEYS)[WrittenType][number];

/** Keys that a block of each type may have. */
export const BLOCK_KEYS: Readonly<Record<WrittenType, readonly BlockKey[]>> = KEYS;

/** Keys that an item may have; it has no paths of its own (S25). */
export const ITEM_KEYS: readonly string[] = ['type', 'was', 'fields'];
