import {
  INTENTS,
  HIGHEST_SHARE,
  ITEM_TYPES,
  SPLIT_SUBJECTS,
  transitionNames,
  type ContainerType,
  type ItemType,
} from '../../engine/index.js';
import { BLOCK_KEYS, type BlockKey, ITEM_KEYS, type WrittenType } from '../keys/block-keys.js';
import { fieldsSchema, type Schema } from './field-schema.js';

const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
/** Text as it is written: what YAML takes for a number or a boolean is text here (F1). */
export const TEXT = { type: ['string', 'number', 'boolean'] };
const NAME = '[A-Za-z0-9][A-Za-z0-9 _.-]{0,127}';

const DESCRIPTIONS: Readonly<Record<WrittenType, string>> = {
  custom: 'Drawn by your application, with the fields and paths that you give it.',
  card: 'A card inside the page.',
  modal: 'A dialogue above the page.',
  checklist: 'Items to complete or skip in any order; done when all are.',
  tour: 'Items one after the other; done after the last.',
  hints: 'Items beside what they explain, all at once; done when each is closed.',
  branch: 'Goes on along true or false, as its condition is when it is reached.',
  split:
    'Sends a share of people along each path, always the same ones, to compare what becomes of them.',
  gate: 'Waits until every block that leads to it has taken its path here.',
  delay: 'Goes on by itself when its time is over.',
  webhook: 'Sends a POST in the background and goes on at once.',
  'flow-trigger': 'Starts, resets, stops or finishes another flow, and goes on at once.',
};

/** The other keys have a schema for each type. */
const KEYS: Readonly<
  Record<Exclude<BlockKey, 'type' | 'paths' | 'fields' | 'items' | 'done'>, Schema>
> = {
  was: {
    allOf: [ref('identifier')],
    description: 'Earlier identifier, when a block is renamed: its users keep their state.',
  },
  by: {
    enum: SPLIT_SUBJECTS,
    default: 'user',
    description: 'group: everybody of the group that the application names goes the same way.',
  },
  when: { ...TEXT, description: 'A condition, such as user.properties.plan == "pro"' },
  for: {
    type: 'string',
    pattern: '^[1-9][0-9]{0,5} (minute|hour|day)s?$',
    description: 'How long it waits, from 1 minute to 365 days, such as 2 days',
  },
  url: {
    type: 'string',
    pattern: '^[hH][tT][tT][pP][sS]?:',
    description: 'Address that is sent the POST.',
  },
  headers: {
    type: 'object',
    additionalProperties: TEXT,
    description: 'Values may hold ${user.identifier} and other tokens.',
  },
  body: { description: 'Any JSON; its texts may hold ${user.identifier} and other tokens.' },
  flow: { allOf: [ref('identifier')], description: 'Identifier of another flow.' },
  intent: { enum: INTENTS },
  version: {
    anyOf: [
      { const: 'latest' },
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(0|[1-9][0-9]*)$' },
    ],
    default: 'latest',
  },
  next: { allOf: [ref('targets')], description: 'Where it leads on by itself.' },
};

const DONE: Schema = {
  ...TEXT,
  description: 'A condition: once it holds for its user, it is completed by itself.',
};
const DONE_OF_CUSTOM: Schema = {
  type: 'object',
  description: 'Once a condition holds for its user, it takes a name by itself.',
  required: ['when', 'take'],
  properties: {
    when: { ...TEXT, description: 'A condition, such as user.properties.plan == "pro"' },
    take: { ...TEXT, pattern: `^${NAME}$`, description: 'One of the names under paths.' },
  },
  additionalProperties: false,
};

/** Types that a block can have, each with what it does. */
export function typeSchema(): Schema {
  return { enum: Object.keys(DESCRIPTIONS), markdownEnumDescriptions: Object.values(DESCRIPTIONS) };
}

/** What a block of one type may hold (S3, F1). */
export function blockSchema(type: WrittenType): Schema {
  const required: Partial<Record<WrittenType, string[]>> = {
    branch: ['when'],
    delay: ['for'],
    split: ['paths'],
    webhook: ['url'],
    'flow-trigger': ['flow', 'intent'],
  };
  const isContainer = BLOCK_KEYS[type].includes('items');
  return {
    required: [...(required[type] ?? []), ...(isContainer ? ['items'] : [])],
    properties: Object.fromEntries(BLOCK_KEYS[type].map((key) => [key, keySchema(key, type)])),
    additionalProperties: false,
    ...(BLOCK_KEYS[type].includes('next') && { not: { required: ['next', 'paths'] } }),
  };
}

function keySchema(key: BlockKey, type: WrittenType): Schema {
  if (key === 'type') return true;
  if (key === 'paths') return type === 'split' ? WAYS : pathsSchema(type);
  if (key === 'fields') return fieldsSchema(type as 'custom');
  if (key === 'done') return type === 'custom' ? DONE_OF_CUSTOM : DONE;
  if (key === 'items') return itemsSchema(ITEM_TYPES[type as ContainerType]);
  return KEYS[key];
}

const WAYS: Schema = {
  type: 'object',
  minProperties: 2,
  propertyNames: { pattern: `^${NAME}$` },
  additionalProperties: {
    type: 'object',
    required: ['share'],
    properties: {
      share: {
        type: 'integer',
        minimum: 0,
        maximum: HIGHEST_SHARE,
        description: 'How many people go this way, of the sum of all shares.',
      },
      to: ref('targets'),
    },
    additionalProperties: false,
  },
};

/** Names of paths, several of them separated by commas. */
function pathsSchema(type: WrittenType): Schema {
  const names = transitionNames({ type });
  const name = type === 'custom' ? NAME : `(${names.join('|')})`;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((each) => [each, ref('targets')])),
    patternProperties: { [`^\\s*${name}\\s*(,\\s*${name}\\s*)*$`]: ref('targets') },
    additionalProperties: false,
  };
}

function itemsSchema(type: ItemType): Schema {
  const item = {
    type: ['object', 'null'],
    properties: {
      type: { const: type },
      was: KEYS.was,
      fields: fieldsSchema(type),
      ...(ITEM_KEYS[type].includes('done') && { done: DONE }),
    } satisfies Record<string, unknown>,
    additionalProperties: false,
  };
  return {
    type: 'object',
    description: 'In their order; `display-index` is counted from it.',
    minProperties: 1,
    propertyNames: ref('blockIdentifier'),
    additionalProperties: item,
  };
}
