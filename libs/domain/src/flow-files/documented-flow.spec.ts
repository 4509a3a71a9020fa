import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseFlowFile } from './read/parse-flow-file.js';

const DOCS = readFileSync(new URL('../../../../docs/flows.md', import.meta.url), 'utf8');
const documented = DOCS.split('```yaml\n')[1]!.split('```')[0]!;

test('the flow that docs/flows.md prints is right', () => {
  expect(parseFlowFile(documented, { file: 'hello.yaml' }).problems).toEqual([]);
});

test('the problems that docs/flows.md prints are what mistyped names get (F4)', () => {
  const mistyped = documented.replace('start: welcome', 'start: welcom').replace('dismiss:', 'dismis:');
  const { problems } = parseFlowFile(mistyped, { file: 'hello.yaml' });
  for (const { file, line, column, message } of problems) expect(DOCS).toContain(`${file}:${line}:${column} ${message}\n`);
  expect(problems).toHaveLength(2);
});
