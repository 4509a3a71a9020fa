import { invalidRequest } from '@waymark/domain/errors';
import type { Query } from './query.js';

/** Reads one value of a query; a name given twice where one value is meant is refused (W8). */
export function findOne(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidRequest(`the query parameter ${name} is given ${value.length} times, it has to be given once`);
}

/** `true` or `false`; undefined where it is not given (B4). */
export function findFlag(query: Query, name: string): boolean | undefined {
  const text = findOne(query, name);
  if (text === undefined || text === 'true' || text === 'false') return text && text === 'true';
  throw invalidRequest(`the query parameter ${name} has to be true or false`);
}
