import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '@waymark/domain/database/audit';
import { CommandFixture } from './command-fixture.js';
import { runInTerminal } from './run-waymark.js';

/** Makes a terminal; that of util-linux, since others take other words. */
const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
if (!hasTerminal)
  process.stderr.write('the tests in a terminal are skipped, they need script of util-linux\n');

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  const flow = (title: string) =>
    `flow: tour\nstart: hello\nblocks:\n  hello: { type: modal, fields: { title: ${title} }, paths: { complete: finish } }\n`;
  const file = await fixture.write('tour.yaml', flow('One'));
  await fixture.run('flow', 'apply', file, '--commit', '-m', 'first', '--yes');
  await fixture.fixture.catalogue.refresh();
  await fixture.fixture.identify('ann');
  await fixture.fixture.identifyGroup('acme');
  await fixture.fixture.read('ann', 'tour');
  await fixture.fixture.take('ann', 'tour', 'latest', 'hello', ['complete']);
  await fixture.run('reset', 'tour', '--version', '1', '--all', '--yes');
  await fixture.write('tour.yaml', flow('Two'));
  await fixture.run('flow', 'apply', file);
});
afterAll(() => fixture.close());

/** All that there is, but for what the audit log says of who tried what. */
async function contents(): Promise<string[]> {
  const { dataSource } = fixture.fixture;
  const tables: { name: string }[] = await dataSource.query(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'audit_log' ORDER BY 1",
  );
  const texts = tables.map(async ({ name }) => {
    const [row] = await dataSource.query<{ rows: string }[]>(
      `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows FROM ${name} t`,
    );
    return `${name}\n${row!.rows}`;
  });
  return Promise.all(texts);
}

const lastRun = async () =>
  ((await fixture.fixture.dataSource.query('SELECT id FROM reset_runs')) as { id: string }[]).at(
    -1,
  )!.id;

/** Every command that asks before it does something. */
const ASKING: [name: string, line: () => string[] | Promise<string[]>, question: string][] = [
  ['reset', () => ['reset', 'tour', '--version', '1', '--all'], '1 user'],
  ['resets undo', async () => ['resets', 'undo', await lastRun()], 'back'],
  ['user delete', () => ['user', 'delete', 'ann'], 'for ever'],
  ['group delete', () => ['group', 'delete', 'acme'], 'acme'],
  [
    'flow commit',
    () => ['flow', 'commit', 'tour', '-m', 'second', '--migration', 'restart-all'],
    'restarts 1',
  ],
  ['flow archive', () => ['flow', 'archive', 'tour'], 'tour'],
  ['env verify', () => ['env', 'verify', 'production', 'required'], 'has no signer'],
  ['events prune', () => ['events', 'prune', '--before', '2999-01-01'], 'events'],
  ['audit prune', () => ['audit', 'prune', '--before', '2999-01-01'], 'for ever'],
];

(hasTerminal ? describe : describe.skip)('in a terminal', () => {
  test.each(ASKING)(
    '%s that is answered with no changes nothing, and the log says so (I7)',
    async (name, line, question) => {
      const before = await contents();
      const { status, output } = await runInTerminal(
        [...(await line()), '--by', name],
        'n\n',
        fixture.environment,
      );
      expect(output).toContain(question);
      expect(output).toMatch(/\[y\/N\] n\s[^]*nothing was changed/);
      expect(status).toBe(1);
      expect(await contents()).toEqual(before);
      expect(await listAudit(fixture.fixture.dataSource.manager, { by: name })).toMatchObject([
        { result: { outcome: 'stopped' } },
      ]);
    },
  );

  test('a user who is to be deleted is, once the answer is yes (I7)', async () => {
    const { status, output } = await runInTerminal(
      ['user', 'delete', 'ann'],
      'y\n',
      fixture.environment,
    );
    expect(output).not.toContain('nothing was changed');
    expect(status).toBe(0);
    expect(await fixture.run('user', 'show', 'ann')).toMatchObject({ status: 1 });
  });
});
