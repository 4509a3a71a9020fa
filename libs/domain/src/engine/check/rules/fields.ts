import type { Field, FieldType } from '../../definition/definition.js';
import { placedBlocks } from '../problems/places.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

const FITS: Record<FieldType, (value: Field['value']) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  richText: (value) => Array.isArray(value),
};

/** Every field is there once, with a value of its type or emptied (S4, B7). */
export const checkFields: Rule = ({ draft }) =>
  placedBlocks(draft).flatMap(({ block, place }) => {
    const seen = new Set<string>();
    return block.fields.flatMap((field) => {
      const isTwice = seen.has(field.sid);
      seen.add(field.sid);
      return checkField(field, isTwice, [...place, 'fields', field.sid]);
    });
  });

function checkField(
  { sid, type, value }: Field,
  isTwice: boolean,
  place: Problem['place'],
): Problem[] {
  if (isTwice) return [error('field.duplicate', place, `field "${sid}" is there twice`)];
  const fits = Object.hasOwn(FITS, type) ? FITS[type] : null;
  if (!fits)
    return [
      error(
        'field.unknown-type',
        place,
        `"${type}" is not a field type; allowed are ${Object.keys(FITS).join(', ')}`,
      ),
    ];
  return value === null || fits(value)
    ? []
    : [error('field.wrong-type', place, `field "${sid}" is of type ${type}, its value is not`)];
}
