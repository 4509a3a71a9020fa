import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';

const FILE = `# Greets whoever is new.
flow: greeting
start: hello
blocks:
  hello: { type: modal, fields: { title: Hello } } # short
`;

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
});
afterAll(() => fixture.close());

const waymark = (...args: string[]) => fixture.run('flow', ...args);
const commit = async (text: string, message: string) =>
  expect(
    await waymark('apply', await fixture.write('greeting.yaml', text), '--commit', '-m', message),
  ).toMatchObject({
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
  expect(await waymark('unpin', 'greeting')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('no version'),
  });
  expect(await waymark('pin', 'greeting', '--version', '7')).toMatchObject({ status: 1 });
  expect(await waymark('pin', 'greeting')).toMatchObject({ status: 2 });
});

test('an environment that releases by pin gets what is pinned, and says so where that goes (Z10)', async () => {
  const releases = (how: string) => fixture.run('env', 'releases', 'production', how);
  expect((await releases('--by-pin')).stdout).toBe(
    'production: latest is only what is pinned there; 1 flow was pinned at what it was, `waymark flow pin` releases the next version\n',
  );
  expect((await fixture.run('env', 'list')).stdout).toMatch(/production +off +by pin/);
  const unpinned = await waymark('unpin', 'greeting', '--env', 'production');
  expect(unpinned).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('production releases by pin, where no pin is taken away'),
  });
  await waymark('apply', await fixture.write('gone.yaml', FILE.replace('greeting', 'gone')));
  expect(await waymark('commit', 'gone', '-m', 'first')).toMatchObject({
    status: 0,
    stderr:
      'production releases by pin: nobody there gets version 1 of gone before `waymark flow pin gone --version 1 --env production`\n',
  });
  await fixture.fixture.identify('ada');
  expect((await waymark('archive', 'gone', '--yes')).stdout).toBe('gone is archived\n');
  expect((await waymark('archive', 'greeting', '--yes')).stdout).toBe(
    'greeting is archived, also what is released: version 2 in production\n',
  );
  expect(await releases('--by-commit')).toMatchObject({ status: 0 });
  expect(await fixture.run('env', 'releases', 'production')).toMatchObject({ status: 2 });
  const both = ['env', 'releases', 'production', '--by-pin', '--by-commit'];
  expect(await fixture.run(...both)).toMatchObject({ status: 2 });
  await waymark('unpin', 'greeting', '--env', 'production');
  const draft = FILE.replace('Hello', 'Welcome');
  await waymark('apply', await fixture.write('greeting.yaml', draft));
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
  const mine = await fixture.write('mine.yaml', FILE.replace('Hello', 'Hi'));
  expect(await waymark('apply', mine, '--if-match', hash)).toMatchObject({ status: 0 });
  expect(await waymark('apply', 'greeting.yaml', '--if-match', hash)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('was changed since it was read'),
  });
  expect((await waymark('export', 'greeting')).stdout).toContain('Hi');
  expect(await waymark('apply', mine, 'greeting.yaml', '--if-match', hash)).toMatchObject({
    status: 2,
  });
});

test('the schema for editors can be written anywhere', async () => {
  expect(await waymark('schema', '-o', 'flow.schema.json')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('# yaml-language-server: $schema=flow.schema.json'),
  });
  const written = await readFile(path.join(fixture.folder, 'flow.schema.json'), 'utf8');
  expect(JSON.parse(written)).toEqual((await waymark('schema')).json());
});

test('texts go out to translators and come back into the draft, or into a file (X4)', async () => {
  const own = FILE.replace('start:', 'language: en\nstart:');
  await commit(own, 'with a language');
  const file = await fixture.write('de.json', '');
  const full = path.join(fixture.folder, file);
  const translate = async (to: string) => {
    const text = await readFile(full, 'utf8');
    return fixture.write('de.json', text.replace('"to": ""', `"to": "${to}"`));
  };
  expect(
    await waymark('texts', 'export', 'greeting', '--language', 'DE', '-o', file),
  ).toMatchObject({ status: 0, stdout: '1 text(s) of greeting for de written to de.json\n' });
  expect(JSON.parse(await readFile(full, 'utf8'))).toEqual({
    flow: 'greeting',
    language: 'de',
    texts: { 'hello.title': { from: 'Hello', to: '' } },
  });
  await translate('Hallo');
  const greeting = await fixture.write('greeting.yaml', own);
  expect((await waymark('texts', 'import', file, '--into', greeting, '--json')).json()).toEqual({
    flow: 'greeting',
    language: 'de',
    put: 1,
    refused: [],
  });
  const translated = `${own}languages:\n  de:\n    hello:\n      title: Hallo\n`;
  expect(await readFile(path.join(fixture.folder, greeting), 'utf8')).toBe(translated);
  expect((await waymark('export', 'greeting')).stdout).toBe(own);
  expect(await waymark('texts', 'import', file)).toMatchObject({
    status: 0,
    stdout: '1 text(s) of greeting put in de\n',
  });
  expect((await waymark('export', 'greeting')).stdout).toBe(translated);
  const missing = ['texts', 'export', 'greeting', '--language', 'de', '--missing'];
  expect((await waymark(...missing)).stdout).toContain('"texts": {}');

  await commit(translated.replace('title: Hello', 'title: Welcome'), 'another title');
  const refused = await waymark('texts', 'import', file);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('hello.title was "Hello", it is "Welcome" now');
  expect(refused.stderr).toContain('nothing was written');
  expect(await waymark('texts', 'import', file, '--skip-changed')).toMatchObject({
    status: 0,
    stdout: '0 text(s) of greeting put in de, 1 left out\n',
  });
});

test('translations that are none, or of no language, are refused with what is allowed (X4)', async () => {
  const refusal = async (...args: string[]) => {
    const { status, stderr } = await waymark('texts', ...args);
    return `${status} ${stderr}`;
  };
  await commit(FILE, 'without a language');
  const exported = (language: string) => ['export', 'greeting', '--language', language];
  expect(await refusal(...exported('german!'))).toMatch(/^2 .*such as de, pt-BR or zh-Hant/s);
  expect(await refusal(...exported('de'))).toMatch(/^1 .*such as language: en/);
  await fixture.write('greeting.yaml', FILE.replace('start:', 'language: en\nstart:'));
  const ofFile = ['export', './greeting.yaml', '--language', 'en'];
  expect(await refusal(...ofFile)).toMatch(/^1 .*the language that the texts of greeting are in/);
  for (const [text, said] of [
    ['what?', 'is not JSON'],
    ['[]', 'flow, language and texts'],
    ['{"flow":"greeting","language":"d e","texts":{}}', 'tag of BCP 47'],
    ['{"flow":"greeting","language":"de","texts":{"a.b":"x"}}', 'see a.b'],
    ['{"flow":"none","language":"de","texts":{}}', 'there is no flow "none"'],
    [`{"texts":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'nests more than 100 levels deep'],
  ] as const)
    expect(await refusal('import', await fixture.write('wrong.json', text))).toMatch(
      new RegExp(`^1 .*${said}`),
    );
});
