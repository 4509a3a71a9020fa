import { InvalidArgumentError } from 'commander';
import type { LogStart } from '@waymark/domain/events';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const TEN_YEARS_MS = 3_653 * 86_400_000;

/** A version or a revision. Like the others here it refuses anything else as wrong usage. */
export function parseNumber(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number from 0.');
}

const MOMENTS = 'a date such as 2026-03-01 or 2026-03-01T12:00Z, or 90d for so long ago';

/** A moment: ISO 8601, in UTC where it names no zone, or `90d` for so long ago. */
export function parseMoment(text: string): Date {
  if (/^\d+[smhd]$/.test(text)) return new Date(Date.now() - parseLifetime(text));
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?(Z|[+-]\d{2}:\d{2})?$/.exec(
      text,
    ) ?? [];
  const moment = new Date(`${day}T${time}${zone}`);
  // JavaScript takes the 30th of February for the 2nd of March.
  const isDay = new Date(`${day}T00:00Z`).getUTCDate() === Number(day?.slice(8));
  if (isDay && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(`Write ${MOMENTS}.`);
}

/** Where in the event log to begin. A refusal also names `others`: what else the caller accepts. */
export function parseStart(text: string, others = ''): LogStart {
  if (text === 'now' || text === 'beginning') return text;
  try {
    return parseMoment(text);
  } catch {
    throw new InvalidArgumentError(`Write beginning, now, ${MOMENTS}${others}.`);
  }
}

/** The value of an option that may be repeated. */
export const collect = (text: string, before: string[]): string[] => [...before, text];

/** Rows of a page. */
export function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number from 1 to 999999.');
}

/** `90d`, `12h`, `30m` or `45s` in milliseconds. */
export function parseLifetime(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit ?? ''] ?? 0);
  if (ms > 0 && ms <= TEN_YEARS_MS) return ms;
  throw new InvalidArgumentError(
    'Write a number of days, hours, minutes or seconds, such as 90d, 12h, 30m, 45s, ten years at most.',
  );
}

/** Which users are meant: by a condition, by a segment (Z6), or by both. */
export interface ConditionOptions {
  when?: string | undefined;
  segment?: string | undefined;
}

export function conditionOf({ when, segment }: ConditionOptions): { when?: string } {
  if (segment === undefined) return when === undefined ? {} : { when };
  const inSegment = `segment(${JSON.stringify(segment)})`;
  return { when: when === undefined ? inSegment : `(${when}) AND ${inSegment}` };
}
