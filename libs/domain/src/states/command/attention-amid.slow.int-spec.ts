import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineFlow, modal } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { DomainError } from '../../database/errors/index.js';
import type { FlowDefinition, FlowState } from '../../engine/index.js';
import { applySharedFile, archiveFlow, ATTENTION_FILE } from '../../flows/index.js';
import { deleteUser } from '../../records/index.js';

const USERS = 60;
const TOGETHER = 10;
const AT_ONCE = 2;
const AUTHOR = { by: 'test' };
/** `two` has a second version; that of `moving` is in another group. */
const FLOWS = ['one', 'two', 'three', 'moving', 'gone'];

const inGroup = (flow: string, group: string): FlowDefinition => ({
  ...defineFlow({ flow, blocks: { [`hello-${flow}`]: modal({ complete: 'finish' }) } }),
  format: 2,
  attention: { group },
});

let fixture: Fixture;
let replicas: Fixture[];
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const flow of [...FLOWS, 'two']) await fixture.commit(inGroup(flow, 'news'));
  await fixture.commit(inGroup('moving', 'others'));
  const rules = { atOnce: AT_ONCE, limit: { starts: 4, per: 86_400_000 } };
  await applySharedFile(fixture.dataSource, ATTENTION_FILE, new Map([['news', rules]]), AUTHOR);
  replicas = [fixture, await fixture.replica()];
  for (const replica of replicas) await replica.catalogue.refresh();
});
afterAll(() => fixture.close());

type Act = (user: string, replica: Fixture, flow: string) => Promise<unknown>;

async function readAll(user: string, replica: Fixture) {
  const found = await Promise.all(
    FLOWS.map((flow) =>
      replica.catalogue.getFlow(flow, 'latest', replica.environmentId).catch(() => null),
    ),
  );
  const flows = found.filter((flow) => flow !== null);
  return replica.runner.readAll(flows, { environmentId: replica.environmentId, user });
}

/** What nobody asked for, and what ends flows. */
const OWN: Act[] = [
  readAll,
  readAll,
  (user, replica, flow) => replica.read(user, flow),
  (user, replica, flow) => replica.read(user, flow, 1),
  (user, replica, flow) => replica.run(user, flow, 'latest', { kind: 'finish' }),
  (user, replica, flow) => replica.run(user, flow, 1, { kind: 'stop' }),
  async (user, replica) => {
    await deleteUser(
      replica.dataSource,
      replica.environmentId,
      user,
      replica.changes,
      AUTHOR,
    ).finally(() => fixture.identify(user));
  },
];
/** What somebody asks for, which is never held up. */
const ASKED: Act[] = [
  (user, replica, flow) => replica.run(user, flow, 'latest', { kind: 'reset', force: true }),
  (user, replica, flow) => replica.run(user, flow, 'latest', { kind: 'start', force: true }),
  async (user, replica, flow) => {
    const { state, revision } = await replica.run(user, flow, 'latest', {
      kind: 'read',
      starts: false,
    });
    await replica.run(user, flow, 'latest', { kind: 'finish' });
    const actor = { environmentId: replica.environmentId, user };
    const resolved = await replica.catalogue.getFlow(flow, 'latest', replica.environmentId);
    await replica.runner.run(resolved, actor, { kind: 'restore', revision, state });
  },
];

/** A user may be gone just then, and a flow is archived amid. */
function unlessGone(error: unknown): void {
  if (error instanceof DomainError && /\.unknown$|^request\.invalid$/.test(error.code)) return;
  throw error;
}

let seed = Number(process.env['FC_SEED'] ?? 1);
/** The same each time (Lehmer). */
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

/** Many acts of one user at once, over both replicas. */
async function play(user: string, acts: readonly Act[]): Promise<void> {
  await fixture.identify(user);
  const done = Array.from({ length: 24 }, () =>
    acts[random(acts.length)]!(
      user,
      replicas[random(replicas.length)]!,
      FLOWS[random(FLOWS.length)]!,
    ).catch(unlessGone),
  );
  await Promise.all(done);
}

interface Row {
  user: string;
  group: string;
  /**
   * Those that the row of the group says, and those that the states say, in the highest version of
   * the user.
   */
  held: string[] | null;
  running: string[] | null;
  starts: number;
}

const load = (users: string[] | null = null): Promise<Row[]> =>
  fixture.dataSource.query(
    `WITH highest AS (
      SELECT DISTINCT ON (s.user_id, s.flow) s.user_id, s.flow, s.version, s.state, v.definition->'attention'->>'group' AS "group"
      FROM flow_states s JOIN flow_versions v USING (flow, version) ORDER BY s.user_id, s.flow, s.version DESC
    )
    SELECT u.identifier AS user, a."group", jsonb_array_length(a.starts) AS starts,
      (SELECT array_agg(h.flow ORDER BY h.flow) FROM highest h WHERE h.user_id = a.user_id
         AND (a.places ->> h.flow)::int = h.version) AS held,
      (SELECT array_agg(h.flow ORDER BY h.flow) FROM highest h WHERE h.user_id = a.user_id AND h."group" = a."group"
         AND h.state @> '{"started": true, "stopped": false, "finished": false}') AS running
    FROM attention_states a LEFT JOIN users u USING (user_id) WHERE $1::text[] IS NULL OR u.identifier = ANY ($1)`,
    [users],
  );

async function playAll(
  name: string,
  acts: readonly Act[],
  look?: (users: string[]) => Promise<void>,
) {
  for (let first = 0; first < USERS; first += TOGETHER) {
    let isOver = false;
    const users = Array.from({ length: TOGETHER }, (_, index) => `${name}-${first + index}`);
    const looking = (async () => {
      while (look && !isOver) await look(users);
    })();
    await Promise.all(users.map((user) => play(user, acts))).finally(() => (isOver = true));
    await looking;
    if (first === USERS / 2) await archiveFlow(fixture.dataSource, 'gone', AUTHOR);
  }
}

test('amid migrations, deletions and an archive no more start by themselves than the rules allow (Q2, Q3, Q4)', async () => {
  const look = async (users: string[]): Promise<void> => {
    for (const { group, running } of await load(users))
      if (group === 'news')
        expect(running?.filter((flow) => flow !== 'gone').length ?? 0).toBeLessThanOrEqual(AT_ONCE);
  };
  await playAll('own', OWN, look);
  const rows = await load();
  expect(rows.length).toBeGreaterThan(USERS / 2);
  for (const { user, group, held, running, starts } of rows) {
    expect([user, group, held]).toEqual([user, group, running]);
    expect(starts).toBeLessThanOrEqual(4);
    const known = new Map<string, FlowState>();
    for (const result of await readAll(user, replicas[1]!)) {
      if (result!.waits) expect(result!.state.started).toBe(false);
      else known.set(result!.flow.flow, result!.state);
    }
    // Whatever waits does so for a rule that holds.
    for (const { started, stopped, finished } of known.values())
      expect(started || stopped || finished).toBe(true);
  }
}, 600_000);

test('amid starts, resets and restores that somebody asks for what is noted stays what the states say (Q2, Q4)', async () => {
  await playAll('asked', [...OWN, ...ASKED, ...ASKED]);
  const rows = (await load()).filter(({ user }) => user.startsWith('asked'));
  expect(rows.length).toBeGreaterThan(USERS / 2);
  for (const { user, group, held, running } of rows)
    expect([user, group, held]).toEqual([user, group, running]);
}, 600_000);
