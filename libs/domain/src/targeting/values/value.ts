import type { Json } from '../json/json.js';

/**
 * A date in an expression: milliseconds since 1970, UTC (S30). A class, so that no property can
 * pass for one.
 */
export class Moment {
  constructor(readonly milliseconds: number) {}
}

/** A span of time in an expression, in milliseconds, possibly negative (S30). */
export class Duration {
  constructor(readonly milliseconds: number) {}
}

/** What an expression computes with: JSON, dates and durations. A missing value is `null` (S31). */
export type Value = Json | Moment | Duration;

type ValueKind = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object' | 'date' | 'duration';

/** The kind of a value; different kinds are neither equal nor ordered (S31). */
export function kindOf(value: Value): ValueKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Moment) return 'date';
  if (value instanceof Duration) return 'duration';
  return typeof value as 'boolean' | 'number' | 'string' | 'object';
}

/** Whether a value is an object of a property, whose own keys a path may step into (S29). */
export function isObject(value: Value): value is { [key: string]: Json } {
  return kindOf(value) === 'object';
}
