const UNITS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const DURATION = /^([1-9][0-9]{0,5}) (minute|hour|day)s?$/;
const LONGEST_MS = 365 * UNITS.days;

export const DURATION_FORM =
  'a whole number and minutes, hours or days, from 1 minute to 365 days, such as 7 days';

/**
 * Milliseconds of a text such as `7 days`; undefined for anything else, and for more than 365 days.
 */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const ms = Number(count) * UNITS[`${unit as 'day'}s`];
  return ms <= LONGEST_MS ? ms : undefined;
}

/** In the largest unit of which it is a whole number. */
export function formatDuration(ms: number): string {
  const units = (['days', 'hours', 'minutes'] as const).map((unit) => [unit, UNITS[unit]] as const);
  const [unit, size] = units.find(([, size]) => ms % size === 0)!;
  const count = ms / size;
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
