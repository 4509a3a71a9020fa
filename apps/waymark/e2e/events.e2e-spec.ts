import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EVENT_SCHEMA, type PublicEvent } from '@waymark/domain/events';
import { addEndpoint } from '@waymark/domain/outbound';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { CommandFixture } from './command-fixture.js';
import { spawnWaymark } from './run-waymark.js';

const BY = { by: 'test' };
let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  await fixture.fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'finish' }) } }),
  );
  await fixture.fixture.commit(defineFlow({ flow: 'other', blocks: { alone: card() } }));
  await fixture.fixture.identifyAll(['ada', 'bob'], () => ({}));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  for (const table of ['flow_events', 'flow_states', 'endpoints'])
    await fixture.fixture.dataSource.query(`DELETE FROM ${table}`);
});

/** Four events of two steps. */
const play = async (user: string) => {
  await fixture.fixture.read(user, 'tour');
  await fixture.fixture.take(user, 'tour', 'latest', 'hello', ['complete']);
};
const PLAYED = ['flow.started', 'block.entered', 'block.exited', 'flow.finished'];
const events = async (...args: string[]) => {
  await fixture.fixture.untilTold();
  return fixture.run('events', ...args);
};
const linesOf = (stdout: string): PublicEvent[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PublicEvent);
const typesOf = (stdout: string) => linesOf(stdout).map(({ type }) => type);

describe('events export (E11)', () => {
  test('writes each event as a line that fits the schema, and the cursor to go on from on stderr', async () => {
    await play('ada');
    const { status, stdout, stderr } = await events('export');
    expect([status, typesOf(stdout)]).toEqual([0, PLAYED]);
    const validate = formats.default(new Ajv2020()).compile(EVENT_SCHEMA);
    expect(linesOf(stdout).map((event) => validate(event))).toEqual([true, true, true, true]);
    const [, cursor] = /^to continue from here: --from (\S+)$/m.exec(stderr)!;
    expect((await events('export', '--from', cursor!)).stdout).toBe('');
    await play('bob');
    expect(
      linesOf((await events('export', '--from', cursor!)).stdout).map(({ user }) => user),
    ).toEqual(Array(4).fill('bob'));
  });

  test('has one flow, a limit rounded up to the end of a step, and version 0 only where it is asked for', async () => {
    await play('ada');
    await fixture.fixture.read('ada', 'other');
    await fixture.fixture.read('bob', 'other', 0);
    expect(
      linesOf((await events('export', '--flow', 'other')).stdout).map(({ flow }) => flow),
    ).toEqual(['other', 'other']);
    expect(typesOf((await events('export', '--limit', '1')).stdout)).toEqual(PLAYED.slice(0, 2));
    expect(
      new Set(linesOf((await events('export', '--drafts')).stdout).map(({ version }) => version)),
    ).toEqual(new Set([0, 1]));
    expect((await events('export', '--from', 'now')).stdout).toBe('');
    expect(typesOf((await events('export', '--from', '2020-01-01')).stdout)).toHaveLength(6);
  });

  test('goes on where its cursor file says, which tells how far it came', async () => {
    const file = path.join(fixture.folder, 'cursor');
    await play('ada');
    expect(
      typesOf((await events('export', '--limit', '2', '--cursor-file', 'cursor')).stdout),
    ).toEqual(PLAYED.slice(0, 2));
    const kept = readFileSync(file, 'utf8');
    expect(typesOf((await events('export', '--cursor-file', 'cursor')).stdout)).toEqual(
      PLAYED.slice(2),
    );
    expect(readFileSync(file, 'utf8')).not.toBe(kept);
    expect((await events('export', '--cursor-file', 'cursor')).stdout).toBe('');
    writeFileSync(file, kept);
    expect(typesOf((await events('export', '--cursor-file', 'cursor')).stdout)).toEqual(
      PLAYED.slice(2),
    );
  });

  test('refuses a cursor that was cut, a file that is none and a flow of usage, each with a sentence', async () => {
    await fixture.write('cut', 'WyIwMDAwMDAw');
    const cut = await events('export', '--cursor-file', 'cut');
    expect([cut.status, cut.stderr]).toEqual([
      1,
      'waymark: this is no cursor of an export; it may have been cut\n',
    ]);
    const folder = await events('export', '--cursor-file', '.');
    expect([folder.status, folder.stderr]).toEqual([
      1,
      expect.stringMatching(/^waymark: \. cannot be read: /),
    ]);
    expect(await events('export', '--from', 'yesterday')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /beginning, now, a date such as .*; or the cursor of an export/,
      ),
    });
  });

  test('follows what happens until it is stopped, and then says how far it came', async () => {
    const { child, said, ended } = spawnWaymark(
      ['events', 'export', '--follow', '--from', 'beginning'],
      {
        env: { DATABASE_URL: fixture.fixture.testDatabase.url },
      },
    );
    await play('ada');
    await until(() => typesOf(said.stdout).length === 4);
    await play('bob');
    await until(() => typesOf(said.stdout).length === 8);
    child.kill('SIGTERM');
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('to continue from here: --from '),
    ]);
  });
});

describe('events prune (E12)', () => {
  const age = (days: number) =>
    fixture.fixture.dataSource.query(`UPDATE flow_events SET at = now() - interval '${days} days'`);

  test('asks first, counts with --dry-run, and deletes what is old while states go on', async () => {
    await play('ada');
    await age(100);
    await fixture.fixture.read('bob', 'tour');
    const asked = await events('prune', '--before', '90d');
    expect([asked.status, asked.stderr]).toEqual([2, expect.stringContaining('Say --yes')]);
    expect((await events('prune', '--before', '90d', '--dry-run')).stdout).toBe(
      'development: 2 events would be deleted\n',
    );
    expect(typesOf((await events('export')).stdout)).toHaveLength(6);
    expect(
      (await fixture.run('--json', '--yes', 'events', 'prune', '--before', '90d')).json(),
    ).toEqual({
      environment: 'development',
      deleted: 2,
      kept: 0,
      heldBy: null,
    });
    expect(new Set(linesOf((await events('export')).stdout).map(({ user }) => user))).toEqual(
      new Set(['bob']),
    );
    expect((await fixture.fixture.findState('ada', 'tour', 1))?.state).toMatchObject({
      finished: true,
    });
    expect((await fixture.run('history', 'ada', 'tour', '--at', '1')).status).toBe(1);
  });

  test('leaves what an endpoint has not been told, and names it', async () => {
    await addEndpoint(
      fixture.fixture.dataSource,
      fixture.fixture.environmentId,
      { name: 'crm', url: 'http://127.0.0.1/' },
      BY,
    );
    await play('ada');
    await age(100);
    expect((await fixture.run('--yes', 'events', 'prune', '--before', '90d')).stdout).toBe(
      'development: 0 events deleted; 2 stay, as endpoint crm has not been told them yet (--even-undelivered takes them too)\n',
    );
    expect(
      (await fixture.run('--yes', 'events', 'prune', '--before', '90d', '--even-undelivered'))
        .stdout,
    ).toBe('development: 2 events deleted\n');
  });

  test('needs a time that it can read', async () => {
    expect((await events('prune')).status).toBe(2);
    expect((await events('prune', '--before', 'long ago')).status).toBe(2);
  });
});
