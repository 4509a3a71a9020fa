import type { FlowDraft } from '../../definition/definition.js';
import { placedBlocks } from '../problems/places.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

/** The form of identifiers of flows and blocks, to be put between anchors (W7). */
export const IDENTIFIER_PATTERN = '[A-Za-z0-9][A-Za-z0-9_-]{0,127}';
const IDENTIFIER = new RegExp(`^${IDENTIFIER_PATTERN}$`);
const IDENTIFIER_FORM =
  'use 1 to 128 letters, digits, "_" and "-", beginning with a letter or digit';
const RESERVED = ['start', 'finish'];

/** Whether a text can identify a flow or a block (W7). */
export function isSid(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** Identifiers are well formed, not reserved, and one namespace for blocks and items (F3, W7). */
export const checkIdentifiers: Rule = ({ draft }) => [
  ...checkFlow(draft),
  ...checkBlocks(draft),
  ...checkRenames(draft),
];

function checkFlow({ flow }: FlowDraft): Problem[] {
  if (isSid(flow)) return [];
  return [
    error('flow.bad-identifier', ['flow'], `"${flow}" cannot identify a flow: ${IDENTIFIER_FORM}`),
  ];
}

function checkBlocks(draft: FlowDraft): Problem[] {
  const seen = new Set<string>();
  return placedBlocks(draft).flatMap(({ block: { id }, place }) => {
    const isTwice = seen.has(id);
    seen.add(id);
    if (RESERVED.includes(id))
      return [
        error(
          'block.reserved-identifier',
          place,
          `"${id}" is reserved; give the block another identifier`,
        ),
      ];
    if (isTwice)
      return [
        error(
          'block.duplicate-identifier',
          place,
          `"${id}" is there twice; blocks and items of a flow share one namespace`,
        ),
      ];
    return isSid(id)
      ? []
      : [
          error(
            'block.bad-identifier',
            place,
            `"${id}" cannot identify a block: ${IDENTIFIER_FORM}`,
          ),
        ];
  });
}

function checkRenames(draft: FlowDraft): Problem[] {
  const blocks = placedBlocks(draft);
  const present = new Set(blocks.map(({ block }) => block.id));
  const claimed = new Set<string>();
  return blocks.flatMap(({ block: { was }, place }) => {
    if (was === undefined) return [];
    const isTwice = claimed.has(was);
    claimed.add(was);
    if (present.has(was))
      return [
        error(
          'block.was-present',
          [...place, 'was'],
          `"${was}" is still a block of this flow, so nothing can be renamed from it`,
        ),
      ];
    if (!isSid(was))
      return [
        error(
          'block.bad-was',
          [...place, 'was'],
          `"${was}" never identified a block: ${IDENTIFIER_FORM}`,
        ),
      ];
    return isTwice
      ? [error('block.was-twice', [...place, 'was'], `two blocks cannot both have been "${was}"`)]
      : [];
  });
}
