const MINUTE = 60_000;
const FORM =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 calendar date, with or without time and zone, UTC without (S30).
 * Null for any other text and for days and times that do not exist.
 */
export function parseDate(text: string): number | null {
  const parts = FORM.exec(text)?.groups;
  if (!parts) return null;
  const day = findDay(Number(parts.year), Number(parts.month), Number(parts.day));
  const time = findTime(Number(parts.hour ?? 0), Number(parts.minute ?? 0), Number(parts.second ?? 0));
  const offset = findOffset(parts.zone ?? 'Z');
  if (day === null || time === null || offset === null) return null;
  return day + time + readFraction(parts.fraction ?? '') - offset;
}

function findDay(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 ? date.getTime() : null;
}

function findTime(hour: number, minute: number, second: number): number | null {
  if (hour > 23 || minute > 59 || second > 59) return null;
  return (hour * 60 + minute) * MINUTE + second * 1000;
}

function findOffset(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

/** Moves the point in the text, since multiplying by 1000 would round. */
function readFraction(digits: string): number {
  return Number(`${digits.slice(0, 3).padEnd(3, '0')}.${digits.slice(3)}`);
}
