import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BLOCK_KEYS } from './keys/block-keys.js';
import { DISPLAY_INDEX, STANDARD_FIELDS } from './keys/standard-fields.js';
import { FLOW_KEYS } from './read/read-flow.js';
import { parseFlowFile } from './read/parse-flow-file.js';

const DOCS = readFileSync(new URL('../../../../docs/flows.md', import.meta.url), 'utf8');
const documented = DOCS.split('```yaml\n')[1]!.split('```')[0]!;

test('the flow that docs/flows.md prints is right', () => {
  expect(parseFlowFile(documented, { file: 'hello.yaml' }).problems).toEqual([]);
});

test('the problems that docs/flows.md prints are what mistyped names get (F4)', () => {
  const mistyped = documented
    .replace('start: welcome', 'start: welcom')
    .replace('dismiss:', 'dismis:');
  const { problems } = parseFlowFile(mistyped, { file: 'hello.yaml' });
  for (const { file, line, column, message } of problems)
    expect(DOCS).toContain(`${file}:${line}:${column} ${message}\n`);
  expect(problems).toHaveLength(2);
});

test('docs/flows.md has a row for the standard fields of every type that has some (F1)', () => {
  const rows = [...DOCS.matchAll(/^\| ([a-z ]+?) +\| ((?:`[a-z-]+`,? ?)+) *\|$/gm)];
  const told = rows.map(([, type, fields]) => [
    type!.replace(/^item of (?:a )?(\w+)$/, '$1Item'),
    fields!.match(/[a-z-]+/g),
  ]);
  const written = Object.entries(STANDARD_FIELDS).map(
    ([type, fields]) => [type, fields.map(({ sid }) => sid)] as const,
  );
  const wanted = written.map(
    ([type, sids]) => [type, sids.filter((sid) => sid !== DISPLAY_INDEX)] as const,
  );
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(wanted.filter(([, sids]) => sids.length > 0)),
  );
});

test('docs/flows.md has every key of flow files (F1)', () => {
  const keys = new Set([...FLOW_KEYS, ...Object.values(BLOCK_KEYS).flat()]);
  const isThere = (key: string) =>
    DOCS.includes(`"${key}":`) ||
    new RegExp('`' + key + '[`:]|^ *' + key + ':|[{,] *' + key + ':', 'm').test(DOCS);
  expect([...keys].filter((key) => !isThere(key))).toEqual([]);
});
