import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PublicEvent } from '@waymark/domain/events';
import { card, defineFlow } from '@waymark/testing/builders';
import { fc } from '@waymark/testing/properties';
import { CommandFixture } from './command-fixture.js';
import { spawnWaymark } from './run-waymark.js';

const USERS = Array.from({ length: 200 }, (_, index) => `user-${index}`);
/** Of each user, recorded before: one event each. */
const STEPS = 60;
/** Users who go on while it is exported. */
const ACTIVE = 20;
const KILLS = 6;
/** What the command reads at once, and so repeats at most. */
const BATCH = 1_000;

let fixture: CommandFixture;
let file: string;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  file = path.join(fixture.folder, 'events.ndjson');
  await fixture.fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'hello' }) } }),
  );
  await fixture.fixture.identifyAll(USERS, () => ({}));
  for (const user of USERS.slice(0, ACTIVE)) await fixture.fixture.read(user, 'tour');
  await fixture.fixture.dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, event)
     SELECT user_id, 'old', 1, n, '{"format":1,"cause":{"kind":"stop"},"changes":[{"kind":"flow","stopped":true}]}'
     FROM users, generate_series(1, ${STEPS}) n`,
  );
});
afterAll(() => fixture.close());

/** As `waymark events export --cursor-file cursor >> events.ndjson`. */
function start(...args: string[]) {
  const stdout = openSync(file, 'a');
  const options = {
    env: { DATABASE_URL: fixture.fixture.testDatabase.url },
    cwd: fixture.folder,
    stdout,
  };
  const run = spawnWaymark(['events', 'export', '--cursor-file', 'cursor', ...args], options);
  closeSync(stdout);
  return run;
}

/** Users go on during it; killed after some more bytes were written. */
async function exportAndKill(bytes: number): Promise<void> {
  const { child, ended } = start('--follow');
  const before = statSync(file).size;
  for (let turn = 0; statSync(file).size <= before + bytes; turn++)
    await move(USERS[turn % ACTIVE]!);
  child.kill('SIGKILL');
  await ended;
}

const move = (user: string) => fixture.fixture.take(user, 'tour', 'latest', 'hello', ['complete']);

/** Every recorded step, without what the export is made of. */
async function recorded(): Promise<string[]> {
  const rows: { step: string }[] = await fixture.fixture.dataSource.query(
    `SELECT concat_ws(' ', identifier, flow, version, revision) AS step FROM flow_events JOIN users USING (user_id)`,
  );
  return rows.map(({ step }) => step);
}

const told = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (isWhole(line) ? (JSON.parse(line) as PublicEvent) : []));
const isWhole = (line: string) => line.endsWith('}');
const stepOf = ({ user, flow, version, revision }: PublicEvent) =>
  `${user} ${flow} ${version} ${revision}`;

test('an export that is killed again and again, and continued each time, has exactly what was recorded (E11, R14)', async () => {
  for (const bytes of fc.sample(fc.integer({ min: 0, max: 150_000 }), KILLS))
    await exportAndKill(bytes);
  await fixture.fixture.untilTold();
  expect((await start().ended).status).toBe(0);

  const events = told();
  const unique = new Map(events.map((event) => [event.id, event]));
  const steps = await recorded();
  expect(steps.length).toBeGreaterThan(USERS.length * STEPS);
  expect(new Set([...unique.values()].map(stepOf))).toEqual(new Set(steps));
  // Repeats say the same as the first time, and are at most what was under way at each kill.
  expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(unique.size);
  expect(events.length - unique.size).toBeLessThanOrEqual(KILLS * 2 * BATCH);
  const revisions = new Map<string, number>();
  for (const event of unique.values()) {
    const state = `${event.user} ${event.flow}`;
    expect(event.revision).toBeGreaterThanOrEqual(revisions.get(state) ?? 0);
    revisions.set(state, event.revision);
  }
});

test('half a line that a kill left swallows no event (E11)', async () => {
  writeFileSync(file, '{"id":"half');
  await move(USERS[0]!);
  await fixture.fixture.untilTold();
  expect((await start().ended).status).toBe(0);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines[0]).toBe('{"id":"half');
  expect(JSON.parse(lines[1]!)).toMatchObject({ user: USERS[0], flow: 'tour' });
});
