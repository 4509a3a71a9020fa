import { IDENTIFIER_PATTERN } from '../../engine/index.js';
import { BLOCK_KEYS, type WrittenType } from '../keys/block-keys.js';
import { LONGEST_NAME } from '../read/read-flow.js';
import { blockSchema, TEXT, typeSchema } from './block-schema.js';
import { fieldSchema, type Schema } from './field-schema.js';
import { richTextSchemas } from './rich-text-schema.js';

const IDENTIFIER = `^${IDENTIFIER_PATTERN}$`;

/**
 * JSON Schema (draft 7, the one editors know best) of flow files. It accepts every file that `parseFlowFile` accepts; what
 * takes more than shapes to see, such as unknown targets, only the parser refuses.
 */
export function flowFileSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A flow',
    type: 'object',
    required: ['flow', 'start', 'blocks'],
    properties: {
      $schema: true,
      flow: { allOf: [{ $ref: '#/definitions/identifier' }], description: 'Identifier that clients ask for.' },
      name: { ...TEXT, maxLength: LONGEST_NAME, description: 'For people.' },
      target: targetSchema(),
      start: { allOf: [{ $ref: '#/definitions/targets' }], description: 'Where users enter.' },
      blocks: blocksSchema(),
    },
    additionalProperties: false,
    // A start of `null` is the block of that name, or none.
    anyOf: [{ properties: { start: { not: { type: 'null' } } } }, { properties: { blocks: { required: ['null'] } } }],
    definitions: { ...identifierSchemas(), field: fieldSchema(), ...richTextSchemas() },
  };
}

function targetSchema(): Schema {
  return {
    type: 'object',
    description: 'Who enters the flow by themselves.',
    properties: {
      users: { enum: ['all', 'matching', 'api-only'], default: 'all' },
      when: { ...TEXT, description: 'A condition, such as user.properties.plan == "pro"' },
    },
    additionalProperties: false,
    if: { required: ['users'], properties: { users: { const: 'matching' } } },
    then: { required: ['when'] },
    else: { properties: { when: false } },
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
