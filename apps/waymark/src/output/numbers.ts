/** A number as people read it: `1,204`. */
export const inDigits = (number: number): string => number.toLocaleString('en-US');

/** A share from 0 to 1 as `12 %`, with so many digits behind the point. */
export const inPercent = (share: number, digits = 0): string =>
  `${(share * 100).toFixed(digits)} %`;

/** `1 user`, `1,204 users`. */
export const countUsers = (count: number): string =>
  `${inDigits(count)} ${count === 1 ? 'user' : 'users'}`;

const STEPS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/**
 * Seconds with their unit, with one digit behind the point where the number is small, as in `1.5
 * h`.
 */
export function inDuration(seconds: number | null): string {
  if (seconds === null) return '-';
  const [size, unit] = STEPS.find(([size]) => seconds >= size) ?? [1, 's'];
  const count = seconds / size;
  return `${count < 10 ? Math.round(count * 10) / 10 : Math.round(count)} ${unit}`;
}
