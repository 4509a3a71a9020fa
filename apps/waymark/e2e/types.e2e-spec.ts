import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { CommandFixture } from './command-fixture.js';

let here: CommandFixture;

const FILE = `flow: of-file
start: hello
blocks:
  hello: { type: modal, fields: { title: Hello }, paths: { complete: finish } }
`;

beforeAll(async () => {
  here = await CommandFixture.open();
  await here.fixture.commit(defineFlow({ flow: 'stored', blocks: { one: card() } }));
  await here.fixture.apply(defineFlow({ flow: 'stored', blocks: { two: card() } }));
});
afterAll(() => here.close());

test('types are printed of files, without a database, and of stored flows in a version (C6)', async () => {
  const file = await here.write('of-file.yaml', FILE);
  const { status, stdout } = await here.run('types', file, 'stored', '--json');
  expect(status).toBe(0);
  const { types } = JSON.parse(stdout) as { types: string };
  expect(types).toContain("'of-file': {\n      hello: {\n        type: 'modal';");
  expect(types).toContain('title: string;');
  expect(types).toContain('stored: {\n      one: {');
  expect((await here.run('types', 'stored@0')).stdout).toContain('stored: {\n      two: {');
  expect((await here.run('types', 'stored')).stdout).toContain('stored: {\n      one: {');
});

test('types are written to a file, and --check says whether it is what the flows say (C6)', async () => {
  const file = await here.write('of-file.yaml', FILE);
  const check = () => here.run('types', file, '-o', 'waymark-flows.d.ts', '--check');
  expect(await check()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is not there'),
  });
  expect(await here.run('types', file, '-o', 'waymark-flows.d.ts')).toMatchObject({ status: 0 });
  expect(await readFile(path.join(here.folder, 'waymark-flows.d.ts'), 'utf8')).toContain(
    'interface Flows',
  );
  expect(await check()).toMatchObject({ status: 0 });
  await here.write('of-file.yaml', FILE.replace('title', 'headline'));
  expect(await check()).toMatchObject({ status: 1, stderr: expect.stringContaining('differs') });
});

test('a module of the name of the types beside them is warned of (C6)', async () => {
  const file = await here.write('of-file.yaml', FILE);
  await here.write('onboarding.ts', '');
  await here.write('welcome.js', '');
  const warningOf = async (...output: string[]) => {
    const { status, stdout, stderr } = await here.run('types', file, '-o', ...output, '--json');
    expect(status).toBe(0);
    const { warning } = JSON.parse(stdout) as { warning?: string };
    expect(stderr).toBe(warning === undefined ? '' : `warning: ${warning}\n`);
    return warning;
  };
  expect(await warningOf('onboarding.d.ts')).toContain(
    'onboarding.ts stands beside it, so TypeScript does not read onboarding.d.ts',
  );
  expect(await warningOf('onboarding.d.ts', '--check')).toContain('call it waymark-flows.d.ts');
  expect(await warningOf('welcome.d.ts')).toContain('for the types of welcome.js');
  expect(await warningOf('other.d.ts')).toBeUndefined();
  await rm(path.join(here.folder, 'waymark-flows.d.ts'));
  expect(await warningOf()).toBeUndefined();
  expect(await readFile(path.join(here.folder, 'waymark-flows.d.ts'), 'utf8')).toContain('of-file');
});

test('what is not there, or no flow at all, is refused in words (C6)', async () => {
  const refused: [string[], string][] = [
    [['nowhere'], 'nowhere'],
    [['stored@7'], '7'],
    [['stored@x'], 'NAME@VERSION'],
    [['none.yaml'], 'none.yaml'],
    [['stored', '--check'], '--output'],
  ];
  for (const [args, words] of refused) {
    const { status, stderr } = await here.run('types', ...args);
    expect([args, status === 0]).toEqual([args, false]);
    expect(stderr).toContain(words);
  }
});
