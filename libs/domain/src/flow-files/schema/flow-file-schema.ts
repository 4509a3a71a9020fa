import { HIGHEST_PRIORITY, IDENTIFIER_PATTERN } from '../../engine/index.js';
import { BLOCK_KEYS, type WrittenType } from '../keys/block-keys.js';
import { LONGEST_NAME } from '../read/read-flow.js';
import { blockSchema, TEXT, typeSchema } from './block-schema.js';
import { fieldSchema, type Schema, translationSchema } from './field-schema.js';
import { richTextSchemas } from './rich-text-schema.js';

/** Of days and hours that do not exist only the parser knows. */
const DATE = { ...TEXT, pattern: '^\\d{4}-\\d\\d-\\d\\d([T ].+)?$' };
const IDENTIFIER = `^${IDENTIFIER_PATTERN}$`;

/**
 * JSON Schema (draft 7, the one editors know best) of flow files. It accepts every file that
 * `parseFlowFile` accepts; what takes more than shapes to see, such as unknown targets, only the
 * parser refuses.
 */
export function flowFileSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A flow',
    type: 'object',
    required: ['flow', 'start', 'blocks'],
    properties: {
      $schema: true,
      flow: {
        allOf: [{ $ref: '#/definitions/identifier' }],
        description: 'Identifier that clients ask for.',
      },
      name: { ...TEXT, maxLength: LONGEST_NAME, description: 'For people.' },
      language: { ...TEXT, description: 'Of the texts in blocks: a tag of BCP 47, such as en.' },
      target: targetSchema(),
      attention: attentionSchema(),
      end: { ...DATE, description: 'From then on nothing starts, and what runs is stopped.' },
      goal: {
        ...TEXT,
        description:
          'A condition that users should come to fulfil: reports count for how many it holds.',
      },
      start: { allOf: [{ $ref: '#/definitions/targets' }], description: 'Where users enter.' },
      blocks: blocksSchema(),
      languages: languagesSchema(),
    },
    additionalProperties: false,
    // A start of `null` is the block of that name, or none.
    anyOf: [
      { properties: { start: { not: { type: 'null' } } } },
      { properties: { blocks: { required: ['null'] } } },
    ],
    definitions: {
      ...identifierSchemas(),
      field: fieldSchema(),
      translation: translationSchema(),
      ...richTextSchemas(),
    },
  };
}

function targetSchema(): Schema {
  return {
    type: 'object',
    description: 'Who enters the flow by themselves.',
    properties: {
      users: { enum: ['all', 'matching', 'api-only'], default: 'all' },
      when: { ...TEXT, description: 'A condition, such as user.properties.plan == "pro"' },
      from: { ...DATE, description: 'Users enter by themselves from then on.' },
      until: { ...DATE, description: 'Users enter by themselves before then.' },
    },
    additionalProperties: false,
    if: { required: ['users'], properties: { users: { const: 'matching' } } },
    then: { required: ['when'] },
    else: { properties: { when: false } },
  };
}

function attentionSchema(): Schema {
  return {
    type: 'object',
    description: 'Flows of a group take turns in starting by themselves, as attention.yaml says.',
    required: ['group'],
    properties: {
      group: { allOf: [{ $ref: '#/definitions/identifier' }] },
      priority: {
        type: 'integer',
        minimum: 0,
        maximum: HIGHEST_PRIORITY,
        default: 0,
        description: 'Higher first.',
      },
    },
    additionalProperties: false,
  };
}

function blocksSchema(): Schema {
  const types = Object.keys(BLOCK_KEYS) as WrittenType[];
  return {
    type: 'object',
    propertyNames: { $ref: '#/definitions/blockIdentifier' },
    additionalProperties: {
      type: 'object',
      required: ['type'],
      properties: { type: typeSchema() },
      allOf: types.map((type) => ({
        if: { required: ['type'], properties: { type: { const: type } } },
        then: blockSchema(type),
      })),
    },
  };
}

/** Texts by language, block or item, and field (X1). */
function languagesSchema(): Schema {
  const texts = { type: 'object', additionalProperties: { $ref: '#/definitions/translation' } };
  return {
    type: 'object',
    description: 'The texts in other languages, by block or item and field.',
    propertyNames: { pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' },
    additionalProperties: { type: 'object', additionalProperties: texts },
  };
}

function identifierSchemas(): Record<string, Schema> {
  const identifier = { ...TEXT, pattern: IDENTIFIER };
  // A block may be named `null`; otherwise that is no target.
  const target = { anyOf: [{ $ref: '#/definitions/identifier' }, { type: 'null' }] };
  return {
    identifier,
    blockIdentifier: { pattern: IDENTIFIER, not: { enum: ['start', 'finish'] } },
    targets: {
      description: 'A block of this flow, `finish`, or a list of these.',
      anyOf: [target, { type: 'array', items: target }],
    },
  };
}
