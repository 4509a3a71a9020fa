import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { FIRST, planBatches } from './batches/plan-batches.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** The specs that a part of the tests runs, as Jest itself lists them. */
function specsOf(part: string): string[] {
  const args = ['tools/test.mjs', part, '--listTests'];
  const list = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return list
    .split('\n')
    .filter(Boolean)
    .map((file) => path.relative(root, file))
    .sort();
}

/** Whatever is named like a spec, as Jest or another runner would name it. */
const specs = ['apps', 'bench', 'docs', 'examples', 'libs', 'tools']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter(
    (file) =>
      /[.-](spec|test)\.[cm]?[jt]sx?$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file),
  )
  .sort();

describe('the parts of the tests', () => {
  const [quick, attacks] = [specsOf('--quick'), specsOf('--attacks')];
  const slow = [...specsOf('--slow'), ...attacks].sort();

  test('have every spec in one of them, by its file name', () => {
    expect(specs.length).toBeGreaterThan(200);
    expect([...quick, ...slow].sort()).toEqual(specs);
  });

  test('have the slow specs that compare honest clients in a part of their own', () => {
    expect(attacks).toEqual([
      'apps/blocks-api/e2e/attacks.slow.e2e-spec.ts',
      'apps/users-api/e2e/attacks.slow.e2e-spec.ts',
    ]);
  });

  test('have the specs in the slow ones that say so', () => {
    expect(slow).toEqual(specs.filter((file) => file.includes('.slow.')));
    expect(slow.length).toBeGreaterThan(5);
  });
});

test('batches hold each spec once, the files that take longest first and alone', () => {
  const batches = planBatches(specs);
  expect(batches.flat().sort()).toEqual(specs);
  expect(batches.slice(0, FIRST.length)).toEqual(FIRST.map((file) => [file]));
  expect(batches.length).toBeLessThan(specs.length / 3);
});

test('the files that a run begins with are there', () => {
  expect(FIRST.filter((file) => !specs.includes(file))).toEqual([]);
});
