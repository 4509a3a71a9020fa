import type { Schema } from './field-schema.js';
import {
  ALIGNMENTS,
  ELEMENT_TYPES,
  ELEMENTS,
  MARKS,
  type ElementKey,
  type ElementType,
} from '../rich-text/rich-text-node.js';

const NODE: Schema = { $ref: '#/definitions/richTextNode' };
const TEXT: Schema = { type: ['string', 'number', 'boolean'] };

/**
 * Rich text nodes as the SDK's own types define them (F2); the name of each is a definition of the
 * whole schema.
 */
export function richTextSchemas(): Record<string, Schema> {
  return {
    richTextNode: {
      if: { required: ['type'] },
      then: {
        required: ['type'],
        properties: { type: { enum: ELEMENT_TYPES } },
        allOf: ELEMENT_TYPES.map((type) => ({
          if: { properties: { type: { const: type } } },
          then: elementSchema(type),
        })),
      },
      else: textSchema(),
      type: 'object',
    },
  };
}

function textSchema(): Schema {
  const marks = MARKS.map((mark) => [mark, { type: 'boolean' }]);
  return {
    type: 'object',
    required: ['text'],
    properties: { text: TEXT, ...Object.fromEntries(marks) },
    additionalProperties: false,
  };
}

function elementSchema(type: ElementType): Schema {
  const keys: readonly ElementKey[] = ELEMENTS[type];
  const isVoid = type === 'image' || type === 'video';
  return {
    type: 'object',
    required: ['type', ...(keys.includes('url') ? ['url'] : []), ...(isVoid ? [] : ['children'])],
    properties: {
      type: { const: type },
      ...Object.fromEntries(
        keys.map((key) => [key, key === 'align' ? { enum: ALIGNMENTS } : TEXT]),
      ),
      children: { type: 'array', items: childSchema(type) },
    },
    additionalProperties: false,
  };
}

function childSchema(type: ElementType): Schema {
  if (type === 'image' || type === 'video') return textSchema();
  if (type !== 'bulleted-list' && type !== 'numbered-list') return NODE;
  return { allOf: [NODE, { required: ['type'], properties: { type: { const: 'list-item' } } }] };
}
