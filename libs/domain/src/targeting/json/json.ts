/** Any JSON value, as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Whether two values are equal; the order of keys does not count. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return sorted(a) === sorted(b);
}

function sorted(value: Json | undefined): string | undefined {
  return JSON.stringify(value, (_, inner: Json) =>
    inner === null || typeof inner !== 'object' || Array.isArray(inner)
      ? inner
      : { entries: Object.entries(inner).sort(byKey) },
  );
}

function byKey([a]: [string, Json], [b]: [string, Json]): number {
  return a < b ? -1 : 1;
}
