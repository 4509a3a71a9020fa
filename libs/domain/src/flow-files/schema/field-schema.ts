import { type ExposedType, FIELD_TYPES, type FieldType } from '../../engine/index.js';
import { MAX_MARKDOWN_LENGTH } from '../rich-text/markdown.js';
import { DISPLAY_INDEX, STANDARD_FIELDS } from '../keys/standard-fields.js';

export type Schema = boolean | { [keyword: string]: unknown };

const MARKDOWN: Schema = { type: 'string', maxLength: MAX_MARKDOWN_LENGTH };
const RICH_TEXT: Schema = { type: 'array', items: { $ref: '#/definitions/richTextNode' } };

const VALUES: Readonly<Record<FieldType, { short: Schema; description: string }>> = {
  string: { short: { type: 'string' }, description: 'Text.' },
  number: { short: { type: 'number' }, description: 'A number.' },
  boolean: { short: { type: 'boolean' }, description: 'true or false.' },
  richText: {
    short: { anyOf: [MARKDOWN, RICH_TEXT] },
    description: 'Markdown, or a list of rich text nodes.',
  },
};

/** Standard fields with their types, and any others (F1). */
export function fieldsSchema(type: ExposedType): Schema {
  const standard = STANDARD_FIELDS[type].map(({ sid, type: fieldType, default: value }) => {
    if (sid === DISPLAY_INDEX) return [sid, false];
    const described =
      value === undefined
        ? VALUES[fieldType].description
        : `${VALUES[fieldType].description} Without it: ${value}`;
    return [
      sid,
      {
        anyOf: [VALUES[fieldType].short, longSchema(fieldType), { type: 'null' }],
        description: described,
      },
    ];
  });
  return {
    type: 'object',
    propertyNames: { minLength: 1 },
    properties: Object.fromEntries(standard),
    additionalProperties: { $ref: '#/definitions/field' },
  };
}

/** A field of any type, short or long (F1). */
export function fieldSchema(): Schema {
  return {
    anyOf: [{ type: ['string', 'number', 'boolean'] }, RICH_TEXT, ...FIELD_TYPES.map(longSchema)],
  };
}

/** A text in another language: of a field of text, or of rich text (X1). */
export const translationSchema = (): Schema => ({
  anyOf: [{ type: ['string', 'number', 'boolean'] }, RICH_TEXT],
});

function longSchema(type: FieldType): Schema {
  return {
    type: 'object',
    required: ['type', 'value'],
    properties: { type: { const: type }, value: { anyOf: [VALUES[type].short, { type: 'null' }] } },
    additionalProperties: false,
  };
}
