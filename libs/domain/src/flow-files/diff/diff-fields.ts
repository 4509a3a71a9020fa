import { isSame, type Json } from '../../targeting/json/json.js';
import type { Field } from '../../engine/index.js';
import type { Place } from '../source/file-problem.js';
import type { RichTextNode } from '../rich-text/rich-text-node.js';
import { DISPLAY_INDEX } from '../keys/standard-fields.js';
import { changed, inWords, reordered, type Difference } from './difference.js';

/**
 * The order of fields counts as the order in which clients see them (S1); what follows from the
 * order of items does not count.
 */
export function diffFields(
  place: Place,
  what: string,
  before: readonly Field[],
  after: readonly Field[],
): Difference[] {
  const former = new Map(before.map((field) => [field.sid, field]));
  const present = new Map(after.map((field) => [field.sid, field]));
  const removed = before.filter(({ sid }) => !present.has(sid));
  return [
    ...removed.map(({ sid }): Difference => ({
      kind: 'removed',
      place: [...place, sid],
      text: `field ${sid} of ${what} is removed`,
    })),
    ...after.flatMap((field) =>
      diffField([...place, field.sid], what, former.get(field.sid), field),
    ),
    ...reordered(place, `the fields of ${what}`, former.keys(), present.keys()),
  ];
}

function diffField(
  place: Place,
  what: string,
  before: Field | undefined,
  after: Field,
): Difference[] {
  const name = `field ${after.sid} of ${what}`;
  if (!before)
    return [{ kind: 'added', place, text: `${name} is added: ${inWords(readable(after))}` }];
  if (after.sid === DISPLAY_INDEX) return [];
  if (before.type !== after.type) {
    const text = `${name} is a ${after.type} ${inWords(readable(after))}, was a ${before.type} ${inWords(readable(before))}`;
    return [{ kind: 'changed', place, text }];
  }
  if (isSame(before.value, after.value) && isSame(partsOf(before), partsOf(after))) return [];
  const differences = changed(place, name, readable(before), readable(after));
  return differences.length > 0
    ? differences
    : [{ kind: 'changed', place, text: `${name} is formatted in another way` }];
}

/** Versions from before personal text have the same words without parts. */
const partsOf = ({ parts = [] }: Field): Json => parts as unknown as Json;

/** The words of rich text, other values as they are. */
function readable({ type, value }: Field): Field['value'] {
  return type === 'richText' && Array.isArray(value) ? wordsOf(value as RichTextNode[]) : value;
}

function wordsOf(nodes: readonly RichTextNode[]): string {
  return nodes
    .map((node) => ('type' in node ? wordsOf(node.children) : node.text))
    .join(nodes.some((node) => 'type' in node && node.type !== 'link') ? ' ' : '');
}
