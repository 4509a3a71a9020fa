import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommandStage } from './command-stage.js';

const FILE = `# Greets whoever is new.
flow: greeting
start: hello
blocks:
  hello: { type: modal, fields: { title: Hello } } # short
`;

let stage: CommandStage;
beforeAll(async () => {
  stage = await CommandStage.open();
});
afterAll(() => stage.close());

const waymark = (...args: string[]) => stage.run('flow', ...args);
const commit = async (text: string, message: string) =>
  expect(await waymark('apply', await stage.write('greeting.yaml', text), '--commit', '-m', message)).toMatchObject({
    status: 0,
  });

test('a version is pinned for an environment, shown, and unpinned (S34)', async () => {
  await commit(FILE, 'first');
  await commit(FILE.replace('Hello', 'Welcome'), 'second');
  expect(await waymark('pin', 'greeting', '--version', '1', '--env', 'production')).toMatchObject({
    status: 0,
    stdout: 'greeting: latest means version 1 in production within a second\n',
  });
  expect((await waymark('list')).stdout).toContain('production: 1');
  const versions = (await waymark('versions', 'greeting', '--json')).json();
  expect(versions).toMatchObject({
    flow: 'greeting',
    versions: [
      { version: 2, message: 'second', migration: 'carry-over', inProgress: 0, pinnedIn: [] },
      { version: 1, message: 'first', by: expect.any(String), pinnedIn: ['production'] },
      { version: 0, message: null },
    ],
  });
  expect((await waymark('versions', 'greeting')).stdout).toMatch(/^version +at +by +message/);
  expect((await waymark('unpin', 'greeting', '--env', 'production', '--json')).json()).toEqual({
    flow: 'greeting',
    environment: 'production',
    unpinned: 1,
    latest: 2,
  });
  expect(await waymark('unpin', 'greeting')).toMatchObject({ status: 0, stdout: expect.stringContaining('no version') });
  expect(await waymark('pin', 'greeting', '--version', '7')).toMatchObject({ status: 1 });
  expect(await waymark('pin', 'greeting')).toMatchObject({ status: 2 });
});

test('a revert makes a version the draft again, and an export gives back the very text that was applied (T6)', async () => {
  expect((await waymark('export', 'greeting', '--version', '1')).stdout).toBe(FILE);
  expect(await waymark('revert', 'greeting', '--to', '1')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('the draft is version 1 again'),
  });
  expect((await waymark('export', 'greeting')).stdout).toBe(FILE);
});

test('an apply that names the text it was made from is refused where the draft is now another one (T6)', async () => {
  const { hash } = (await waymark('export', 'greeting', '--json')).json() as { hash: string };
  const mine = await stage.write('mine.yaml', FILE.replace('Hello', 'Hi'));
  expect(await waymark('apply', mine, '--if-match', hash)).toMatchObject({ status: 0 });
  expect(await waymark('apply', 'greeting.yaml', '--if-match', hash)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('was changed since it was read'),
  });
  expect((await waymark('export', 'greeting')).stdout).toContain('Hi');
  expect(await waymark('apply', mine, 'greeting.yaml', '--if-match', hash)).toMatchObject({ status: 2 });
});

test('the schema for editors can be written anywhere', async () => {
  expect(await waymark('schema', '-o', 'flow.schema.json')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('# yaml-language-server: $schema=flow.schema.json'),
  });
  const written = await readFile(path.join(stage.folder, 'flow.schema.json'), 'utf8');
  expect(JSON.parse(written)).toEqual((await waymark('schema')).json());
});
