import { evaluate, type Expression, type Json, parseExpression } from '../../targeting/index.js';
import type { FlowDefinition, Insertion } from './definition.js';
import { partsOf } from './parts.js';

/** A property that texts of a flow show, and what says so in texts that are ready to be filled. */
export interface InsertedProperty {
  readonly key: string;
  readonly value: Expression;
}

/** What a user has of them, as it is shown; what is missing is absent. */
export type InsertedValues = ReadonlyMap<string, string>;

/** Each inserted value is cut at so many code points (Z5). */
const LONGEST_INSERTION = 200;

export const insertionKey = ({ path }: Pick<Insertion, 'path'>): string => JSON.stringify(path);

/**
 * Every property that some text of the flow shows, in any language; none of a flow that older
 * releases know.
 */
export function insertedProperties(definition: FlowDefinition): InsertedProperty[] {
  if (definition.format === 1) return [];
  const translated = (definition.languages ?? []).flatMap(({ blocks }) => blocks);
  const found = new Map<string, InsertedProperty>();
  for (const part of [...partsOf(definition), ...translated])
    for (const insertion of 'fields' in part ? insertionsIn(part.fields) : []) {
      const key = insertionKey(insertion);
      if (!found.has(key)) found.set(key, { key, value: readPath(insertion) });
    }
  return [...found.values()];
}

/** Wherever a value has `parts`: fields of the type string, and texts of rich text. */
export function insertionsIn(value: unknown): Insertion[] {
  if (Array.isArray(value)) return value.flatMap(insertionsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { parts, ...rest } = value as { parts?: readonly (string | Insertion)[] };
  const own = (parts ?? []).filter((part): part is Insertion => typeof part !== 'string');
  return [...own, ...Object.values(rest).flatMap(insertionsIn)];
}

const readPath = ({ path }: Insertion): Expression =>
  parseExpression(`user.properties${path.map((step) => `[${JSON.stringify(step)}]`).join('')}`);

/**
 * What texts show of a user with these properties: text, numbers and booleans as text, cut; all
 * else is missing (Z5).
 */
export function insertedValues(
  inserted: readonly InsertedProperty[],
  properties: { readonly [name: string]: Json },
): InsertedValues {
  const user = { identifier: '', properties, createdAt: null, updatedAt: null };
  const context = { now: 0, user, group: null };
  return new Map(
    inserted.flatMap(({ key, value }): [string, string][] => {
      const found = evaluate(value, context);
      if (typeof found === 'string') return [[key, cutText(found, LONGEST_INSERTION)]];
      return typeof found === 'number' || typeof found === 'boolean' ? [[key, String(found)]] : [];
    }),
  );
}

/** The first characters of a text, by code points. */
const cutText = (text: string, points: number): string =>
  text.length <= points ? text : [...text.slice(0, 2 * points)].slice(0, points).join('');
