import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const SOURCES = [
  'apps/users-api/src',
  'apps/blocks-api/src',
  'libs/service-kit/src',
  'libs/domain/src',
];
/**
 * A metric where it is made: `name: 'waymark_…'` of a counter or histogram, `addGauge('waymark_…'`
 * of a gauge.
 */
const MADE = /(?:name: |addGauge\(\s*)'(waymark_\w+)'/g;

test('docs/reference.md has a row for every metric, and no other', () => {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  ).filter((file) => file.endsWith('.ts'));
  const made = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(MADE)].map(([, name]) => name),
  );
  const rows = [...readFileSync('docs/reference.md', 'utf8').matchAll(/^\| `(waymark_\w+)`/gm)].map(
    ([, name]) => name,
  );
  expect(rows.sort()).toEqual(made.sort());
  expect(rows.length).toBeGreaterThan(10);
});
