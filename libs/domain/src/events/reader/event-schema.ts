import { EVENT_TYPES } from './public-event.js';

const text = (description: string) => ({ type: 'string', description });

/** JSON Schema of one public event, for receivers (E5). */
export const EVENT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'An event of Waymark',
  type: 'object',
  required: ['id', 'type', 'timestamp', 'environment', 'user', 'flow', 'version', 'revision'],
  additionalProperties: false,
  properties: {
    id: {
      type: 'string',
      format: 'uuid',
      description: 'the same in every delivery of the event',
    },
    type: { enum: EVENT_TYPES },
    timestamp: { type: 'string', format: 'date-time', description: 'when it happened' },
    environment: text('name of the environment'),
    user: text('identifier of the user'),
    group: text('identifier of the group that the causing request named'),
    flow: text('identifier of the flow'),
    version: {
      type: 'integer',
      minimum: 0,
      description: 'version of the flow; 0 is the uncommitted one',
    },
    revision: {
      type: 'integer',
      minimum: 1,
      description: 'counts the steps of this user in this version of the flow',
    },
    block: text('identifier of the block, as it is called in that version'),
    blockType: text('such as modal, checklistItem, branch or split'),
    transitions: {
      type: 'array',
      items: { type: 'string' },
      description: 'names that were taken when the block was left',
    },
    data: {
      type: 'object',
      description: 'what the user answered when the block was left, as the application sent it',
    },
    outcome: { type: 'boolean', description: 'of a branch' },
    path: text('of a split: the name of the way'),
    until: {
      type: 'string',
      format: 'date-time',
      description: 'when a delay that was entered goes on',
    },
    command: {
      enum: [
        'start',
        'reset',
        'stop',
        'finish',
        'transition',
        'continue',
        'edited',
        'ended',
        'condition',
        'migrated',
        'restored',
      ],
      description: 'what caused it; left out of events that are older than this field',
    },
    by: {
      enum: ['read', 'request', 'trigger', 'delay', 'operator', 'condition', 'ended'],
      description: 'who caused it; left out of events that are older than this field',
    },
  },
  allOf: [
    {
      if: {
        properties: {
          type: {
            enum: [
              'block.entered',
              'block.exited',
              'branch.taken',
              'split.taken',
              'delay.entered',
              'delay.left',
            ],
          },
        },
      },
      then: { required: ['block'] },
      else: {
        properties: {
          block: false,
          blockType: false,
          transitions: false,
          data: false,
          outcome: false,
          path: false,
          until: false,
        },
      },
    },
    {
      if: { properties: { type: { const: 'block.exited' } } },
      then: { required: ['transitions'] },
      else: { properties: { data: false } },
    },
    { if: { properties: { type: { const: 'branch.taken' } } }, then: { required: ['outcome'] } },
    { if: { properties: { type: { const: 'split.taken' } } }, then: { required: ['path'] } },
    {
      if: { properties: { type: { const: 'delay.entered' } } },
      then: { required: ['until'] },
      else: { properties: { until: false } },
    },
  ],
} as const;
