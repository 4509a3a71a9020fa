import type { ExposedType, FieldType, Field } from '../../engine/index.js';

/** A field that blocks of a type always have (F1). Without a default it starts as `null`. */
export interface StandardField {
  sid: string;
  type: FieldType;
  default?: string;
}

/** Assigned from the order of the items, from 0; never written in a file (F1). */
export const DISPLAY_INDEX = 'display-index';

const title: StandardField = { sid: 'title', type: 'string' };
const body: StandardField = { sid: 'body', type: 'richText' };
const displayIndex: StandardField = { sid: DISPLAY_INDEX, type: 'number' };
const label = (action: string, text: string): StandardField => ({
  sid: `${action}-label`,
  type: 'string',
  default: text,
});

/** Standard fields of each type, in the order clients see them (F1). */
export const STANDARD_FIELDS: Readonly<Record<ExposedType, readonly StandardField[]>> = {
  custom: [],
  card: [title, body, label('complete', 'Complete'), label('dismiss', 'Dismiss')],
  modal: [title, body, label('complete', 'Complete'), label('dismiss', 'Dismiss')],
  checklist: [title, body],
  checklistItem: [title, body, label('complete', 'Complete'), displayIndex],
  tour: [],
  tourItem: [title, body, label('next', 'Next'), label('back', 'Back'), displayIndex],
  hints: [],
  hintsItem: [
    title,
    body,
    label('complete', 'Complete'),
    label('dismiss-all', 'Dismiss'),
    displayIndex,
  ],
};

/** Says where a component is on the page, in every language. */
export const ANCHOR = 'anchor';

/** Whether a field may read otherwise in another language (X1). */
export const isText = ({ sid, type }: Field): boolean =>
  (type === 'string' || type === 'richText') && sid !== ANCHOR;

/**
 * Whether a translation without it is not whole: standard texts and rich text, but for labels as
 * they come; other texts only where some language gives them (X1).
 */
export function isToTranslate(
  { sid, type, value }: Field,
  part: { readonly id: string; readonly type: string },
  everywhere: ReadonlySet<string>,
): boolean {
  if (value === null || value === '' || !isText({ sid, type, value })) return false;
  const standard = (STANDARD_FIELDS[part.type as ExposedType] ?? []).find((one) => one.sid === sid);
  if (standard) return value !== standard.default;
  return type === 'richText' || everywhere.has(`${part.id}.${sid}`);
}
