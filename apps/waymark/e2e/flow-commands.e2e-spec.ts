import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';
import type { Ended } from './run-waymark.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/flows/', import.meta.url));

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
});
afterAll(() => fixture.close());

const waymark = (...args: string[]): Promise<Ended> => fixture.run(...args);
const write = (name: string, text: string): Promise<string> => fixture.write(name, text);
const modal = (flow: string, title = 'Hello') =>
  `flow: ${flow}\nstart: hello\nblocks:\n  hello: { type: modal, fields: { title: ${title} }, paths: { complete: finish } }\n`;
const broken = (flow: string) => modal(flow).replace('complete: finish', 'complete: helo');

/** A user who is in progress in the first version of the flow. */
async function addUserInProgress(identifier: string, flow: string): Promise<void> {
  await fixture.fixture.identify(identifier);
  await fixture.fixture.catalogue.refresh();
  await fixture.fixture.run(identifier, flow, 1, { kind: 'start', force: true });
}

describe('flow validate (F4)', () => {
  test('needs no database and tells every problem of every file as file:line:column, exit 1', async () => {
    const files = [await write('one.yaml', broken('one')), await write('two.yaml', broken('two'))];
    const run = await fixture.runWithout(['flow', 'validate', ...files]);
    expect(run).toMatchObject({ status: 1, stdout: '' });
    expect(run.stderr.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^one\.yaml:4:\d+ unknown target "helo"; did you mean "hello"\?$/),
      expect.stringMatching(/^two\.yaml:4:\d+ unknown target "helo"/),
    ]);
  });

  test('warns of texts that a language lacks, and refuses them with --complete (X1)', async () => {
    const file = await write(
      'german.yaml',
      `${modal('german')}language: en\nlanguages: { de: {} }\n`,
    );
    expect(await fixture.runWithout(['flow', 'validate', file])).toMatchObject({ status: 0 });
    const run = await fixture.runWithout(['flow', 'validate', '--complete', file]);
    expect(run).toMatchObject({ status: 1 });
    expect(run.stderr).toContain('german.yaml:6:14 1 text is missing in de: hello.title');
  });

  test('prints problems as one document with --json', async () => {
    const run = await fixture.runWithout([
      'flow',
      'validate',
      '--json',
      await write('three.yaml', broken('three')),
    ]);
    expect(run.json()).toEqual({
      problems: [
        {
          file: 'three.yaml',
          line: 4,
          column: expect.any(Number),
          severity: 'error',
          code: 'path.unknown-target',
          message: expect.any(String),
        },
      ],
    });
  });

  test('refuses two files that describe one flow, and a file that is not there', async () => {
    const files = [await write('a.yaml', modal('same')), await write('b.yaml', modal('same'))];
    expect(await fixture.runWithout(['flow', 'validate', ...files])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('b.yaml:1:1 flow same is described by a.yaml too'),
    });
  });

  test('tells what cannot be read among the problems of the other files: no file, a folder, no end, another encoding', async () => {
    const files = [
      'absent.yaml',
      '.',
      '/dev/zero',
      await write('latin.yaml', ''),
      await write('four.yaml', broken('four')),
    ];
    await writeFile(
      path.join(fixture.folder, 'latin.yaml'),
      Buffer.from(modal('latin', 'Grüße'), 'latin1'),
    );
    const run = await fixture.runWithout(['flow', 'validate', ...files]);
    expect(run).toMatchObject({ status: 1, stdout: '' });
    expect(run.stderr.split('\n')).toEqual([
      'absent.yaml:1:1 cannot be read: there is no such file',
      '.:1:1 cannot be read: it is a folder',
      '/dev/zero:1:1 is longer than any flow file may be',
      'latin.yaml:1:1 is not UTF-8; save it as UTF-8',
      expect.stringMatching(/^four\.yaml:4:\d+ unknown target/),
      'waymark: 5 errors',
      '',
    ]);
    const document = (await fixture.runWithout(['flow', 'validate', '--json', ...files])).json();
    expect(document).toMatchObject({
      problems: [{ file: 'absent.yaml', code: 'file.unreadable' }, {}, {}, {}, {}],
    });
  });

  test('shows the first 500 problems and how many more there are; --json prints all (F4)', async () => {
    const file = await write('commas.yaml', `[${','.repeat(2_001)}]`);
    const run = await fixture.runWithout(['flow', 'validate', file]);
    const lines = run.stderr.split('\n');
    expect(lines.slice(499)).toEqual([
      expect.stringMatching(/^commas\.yaml:1:502 this cannot stand here/),
      'and 1,500 more, all of which --json prints',
      'waymark: 2000 errors',
      '',
    ]);
    const { problems } = (
      await fixture.runWithout(['flow', 'validate', '--json', file])
    ).json() as {
      problems: [];
    };
    expect(problems).toHaveLength(2_000);
  });

  test('takes UTF-8 with a byte order mark, and needs no settings', async () => {
    const file = await write('marked.yaml', `\ufeff${modal('marked', 'Grüße')}`);
    const settings = { DATABASE_URL: 'mysql://db/x', USERS_PORT: 'none' };
    expect(await fixture.runWithout(['flow', 'validate', file], settings)).toMatchObject({
      status: 0,
    });
  });
});

describe('flow apply and commit', () => {
  test('one bad file keeps every file of the call out (F4)', async () => {
    const run = await waymark(
      'flow',
      'apply',
      await write('fine.yaml', modal('fine')),
      await write('bad.yaml', broken('bad')),
    );
    expect(run).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing was stored') });
    expect((await waymark('flow', 'show', 'fine')).status).toBe(1);
  });

  test('applies version 0, commits 1, and makes no version where nothing differs (S26)', async () => {
    const file = await write('steps.yaml', modal('steps'));
    const flows = async (...args: string[]) =>
      ((await waymark(...args, '--json')).json() as { flows: unknown }).flows;
    expect(await flows('flow', 'apply', file)).toEqual([
      { flow: 'steps', version: 0, committed: false, warnings: [] },
    ]);
    const first = [{ flow: 'steps', version: 1, committed: true, warnings: [] }];
    expect(await flows('flow', 'commit', 'steps', '-m', 'first')).toEqual(first);
    const same = [{ flow: 'steps', version: 1, committed: false, warnings: [] }];
    expect(await flows('flow', 'apply', file, '--commit', '-m', 'again')).toEqual(same);
  });

  test('warns of triggers of flows that nobody knows, and stores the file (S4)', async () => {
    const trigger =
      'flow: caller\nstart: call\nblocks:\n  call: { type: flow-trigger, flow: nowhere, intent: start }\n';
    const run = await waymark('flow', 'apply', await write('caller.yaml', trigger), '--json');
    expect(run.json()).toMatchObject({
      flows: [{ flow: 'caller', warnings: [{ severity: 'warning', line: 4 }] }],
    });
  });

  test('warns of what nobody has: a property, a standard field (S4)', async () => {
    for (const user of ['grace', 'hopper']) await fixture.fixture.identify(user, { plan: 'pro' });
    const target = 'target: { users: matching, when: user.properties.paln == "pro" }\n';
    const file = await write('slips.yaml', `${target}${modal('slips').replace('title', 'titel')}`);
    expect(await waymark('flow', 'apply', file)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^slips\.yaml:1:34 warning: none of the \d+ users looked at has a property "paln"; did you mean "plan"\?\nslips\.yaml:5:\d+ warning: "titel" is a field of its own; did you mean "title"\?\n$/,
      ),
    });
  });

  test('a commit says what it does to whom; it asks before it restarts anybody, and off a terminal that needs --yes (S28, I3)', async () => {
    await waymark(
      'flow',
      'apply',
      await write('long.yaml', modal('long')),
      '--commit',
      '-m',
      'first',
    );
    await addUserInProgress('walker', 'long');
    await waymark('flow', 'apply', await write('long.yaml', modal('long', 'Changed')));
    const commit = ['flow', 'commit', 'long', '-m', 'second', '--migration', 'restart-in-progress'];
    const refused = await waymark(...commit);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('  1 user restarted'),
    });
    expect(refused.stderr).toContain(
      'In development this commit of long restarts 1 user. Say --yes',
    );
    expect(await waymark(...commit, '--yes')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('version 2'),
    });
  });

  test('nothing is said or asked of anybody where nothing differs from the last version (S26)', async () => {
    const restart = ['-m', 'same', '--migration', 'restart-all'];
    const same = {
      status: 0,
      stdout: expect.stringContaining('nothing differs from version 2'),
      stderr: '',
    };
    expect(await waymark('flow', 'commit', 'long', ...restart)).toMatchObject(same);
    expect(await waymark('flow', 'apply', 'long.yaml', '--commit', ...restart)).toMatchObject(same);
    const changed = await write('longer.yaml', modal('long', 'Changed again'));
    expect(await waymark('flow', 'apply', changed, '--commit', ...restart)).toMatchObject({
      status: 2,
    });
  });

  test('a commit of a flow that is not there says so and nothing else', async () => {
    expect(await waymark('flow', 'commit', 'nope', '-m', 'x')).toMatchObject({
      status: 1,
      stderr: 'waymark: there is no flow "nope"\n',
    });
    await waymark('flow', 'apply', await write('away.yaml', modal('away')));
    await waymark('flow', 'archive', 'away', '--yes');
    expect(await waymark('flow', 'commit', 'away', '-m', 'x')).toMatchObject({
      status: 1,
      stderr: 'waymark: away is archived; applying its file brings it back\n',
    });
  });

  test('a commit needs a message of reasonable length, and its options need a commit', async () => {
    const runs = await Promise.all([
      waymark('flow', 'commit', 'long', '-m', ' '),
      waymark('flow', 'apply', 'long.yaml', '--commit'),
      waymark('flow', 'commit', 'long', '-m', 'x'.repeat(1_001)),
      waymark('flow', 'apply', 'long.yaml', '-m', 'x'),
      waymark('flow', 'apply', 'long.yaml', '--migration', 'carry-over'),
    ]);
    expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual([
      [2, 'waymark: a commit needs a message: -m "what it changes"\n'],
      [2, 'waymark: a commit needs a message: -m "what it changes"\n'],
      [2, 'waymark: the message of a commit has 1000 characters at most, this one has 1001\n'],
      [2, 'waymark: --message is about a commit, and without --commit nothing is committed\n'],
      [2, 'waymark: --migration is about a commit, and without --commit nothing is committed\n'],
    ]);
  });
});

describe('looking at flows', () => {
  beforeAll(async () => {
    const files = ['onboarding.yaml', 'tips.yaml'].map((file) => path.join(EXAMPLES, file));
    expect(await waymark('flow', 'apply', ...files, '--commit', '-m', 'first')).toMatchObject({
      status: 0,
    });
  });

  test('an export, applied, changes nothing', async () => {
    const { stdout } = await waymark('flow', 'export', 'onboarding');
    await waymark('flow', 'apply', await write('exported.yaml', stdout));
    expect(await waymark('flow', 'diff', 'onboarding')).toMatchObject({
      status: 0,
      stdout: 'versions 1 and 0 of onboarding are the same\n',
    });
  });

  test('a difference is told in words', async () => {
    const text = await readFile(path.join(EXAMPLES, 'tips.yaml'), 'utf8');
    await waymark(
      'flow',
      'apply',
      await write('tips.yaml', text.replace(/^name: .*$/m, 'name: Something else')),
    );
    expect((await waymark('flow', 'diff', 'tips')).stdout).toContain('Something else');
    expect((await waymark('flow', 'diff', 'tips', '--json')).json()).toMatchObject({
      flow: 'tips',
      from: 1,
      to: 0,
    });
  });

  test('a flow that was never committed has nothing to be compared with', async () => {
    await waymark('flow', 'apply', await write('young.yaml', modal('young')));
    expect(await waymark('flow', 'diff', 'young')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('young was never committed'),
    });
  });

  test('the list and a version as documents', async () => {
    expect((await waymark('flow', 'list', '--json')).json()).toMatchObject({
      flows: expect.arrayContaining([
        {
          flow: 'onboarding',
          name: 'New user onboarding',
          latest: 1,
          updatedAt: expect.any(String),
          archived: false,
          end: null,
          pins: {},
        },
      ]),
    });
    const shown = (await waymark('flow', 'show', 'onboarding', '--version', '1', '--json')).json();
    expect(shown).toMatchObject({
      flow: 'onboarding',
      version: 1,
      latest: 1,
      message: 'first',
      definition: { flow: 'onboarding' },
    });
    expect((await waymark('flow', 'show', 'onboarding')).stdout).toContain('both-done');
  });

  test('a picture in each format, in the colours of a user too, to a file or to standard output', async () => {
    await addUserInProgress('pictured', 'onboarding');
    expect((await waymark('flow', 'graph', 'onboarding')).stdout).toMatch(/^<svg[^]*<\/svg>\n$/);
    expect((await waymark('flow', 'graph', 'onboarding', '--format', 'mermaid')).stdout).toContain(
      'flowchart',
    );
    expect((await waymark('flow', 'graph', 'onboarding', '--format', 'dot')).stdout).toContain(
      'digraph',
    );
    const run = await waymark(
      'flow',
      'graph',
      'onboarding',
      '--user',
      'pictured',
      '-o',
      'picture.svg',
    );
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('picture.svg') });
    expect(await readFile(path.join(fixture.folder, 'picture.svg'), 'utf8')).toContain(
      'this user: in progress',
    );
    expect(await waymark('flow', 'graph', 'onboarding', '--user', 'stranger')).toMatchObject({
      status: 1,
    });
    expect(await waymark('flow', 'graph', 'onboarding', '-o', 'nowhere/x.svg')).toMatchObject({
      status: 1,
      stderr: 'waymark: nowhere/x.svg cannot be written: there is no such folder\n',
    });
  });

  test("a user's picture is of the version that they are in, and says so", async () => {
    await waymark(
      'flow',
      'apply',
      await write('seen.yaml', modal('seen')),
      '--commit',
      '-m',
      'first',
    );
    await addUserInProgress('behind', 'seen');
    await waymark(
      'flow',
      'apply',
      await write('seen.yaml', modal('seen', 'Changed')),
      '--commit',
      '-m',
      'second',
    );
    const version = async (...args: string[]) => {
      const { graph } = (await waymark('flow', 'graph', 'seen', '--json', ...args)).json() as {
        graph: string;
      };
      return /version \d/.exec(graph)?.[0];
    };
    expect(await version()).toBe('version 2');
    expect(await version('--user', 'behind')).toBe('version 1');
    expect(await version('--user', 'behind', '--version', '2')).toBe('version 2');
    await fixture.fixture.identify('newcomer');
    expect(await version('--user', 'newcomer')).toBe('version 2');
  });

  test('archiving asks, hides the flow, and applying brings it back (B12)', async () => {
    const asked = await waymark('flow', 'archive', 'steps');
    expect(asked).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/environment; \d+ users? in progress\. Say --yes/),
    });
    expect(await waymark('flow', 'archive', 'steps', '--yes')).toMatchObject({ status: 0 });
    const find = async () => {
      const { flows } = (await waymark('flow', 'list', '--json')).json() as {
        flows: { flow: string; archived: boolean }[];
      };
      return flows.find(({ flow }) => flow === 'steps')?.archived;
    };
    expect(await find()).toBe(true);
    await waymark('flow', 'apply', 'steps.yaml');
    expect(await find()).toBe(false);
  });

  test('an unknown flow or version is one sentence and exit 1', async () => {
    expect(await waymark('flow', 'show', 'nothing')).toMatchObject({
      status: 1,
      stderr: 'waymark: there is no flow "nothing"\n',
    });
    expect(await waymark('flow', 'show', 'tips', '--version', '9')).toMatchObject({
      status: 1,
      stderr: 'waymark: flow tips has no version 9\n',
    });
  });
});
