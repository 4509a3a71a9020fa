import type { Context } from '@waymark/domain/engine';
import { parseMoment } from '../../command-line/arguments.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';

const EVENTS =
  '--events has to be like {"Invited": 2}, or {"Invited": {"count": 2, "first": "2026-05-01", "last": "3d"}}, each with a whole number from 1';

/** Without times, they were done at that moment. */
export function parseEvents(text: string, now: number): NonNullable<Context['user']['events']> {
  const parsed = Object.entries(parseObject('--events', text, EVENTS)).map(([name, done]) => {
    const { count, last, first, ...others } = (
      typeof done === 'object' && done !== null ? done : { count: done }
    ) as Record<string, unknown>;
    if (!Number.isSafeInteger(count) || Number(count) < 1 || Object.keys(others).length > 0)
      throw wrongUsage(EVENTS);
    const lastAt = last === undefined ? now : timeOf(last, EVENTS);
    const firstAt = first === undefined ? lastAt : timeOf(first, EVENTS);
    return [name, { count: Number(count), first: firstAt, last: lastAt }] as const;
  });
  return Object.fromEntries(parsed);
}

export function timeOf(text: unknown, form: string): number {
  try {
    return parseMoment(String(text)).getTime();
  } catch (error) {
    throw wrongUsage(`${form}; ${JSON.stringify(text)} is no time`, error);
  }
}

export function parseObject(option: string, text: string, form: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrongUsage(`${option} is not JSON: ${(error as Error).message}`, error);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrongUsage(form);
}

export const wrongUsage = (message: string, cause?: unknown): CommandRefusal =>
  new CommandRefusal(message, { status: 'usage', cause });
