import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { applySharedFile, ATTENTION_FILE } from '@waymark/domain/flows';
import { defineFlow, modal } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { call, type SpawnedService, spawnService, until } from '@waymark/testing/services';

const FLOWS = ['one', 'two', 'three', 'four'];
const USERS = Array.from({ length: 150 }, (_, index) => `user-${index}`);
const KILLS = 4;

let fixture: Fixture;
let key: string;
let replicas: SpawnedService[];
const start = () =>
  spawnService('blocks-api', { DATABASE_URL: fixture.testDatabase.url, LOG_LEVEL: 'info' });

beforeAll(async () => {
  fixture = await Fixture.open();
  for (const flow of FLOWS)
    await fixture.commit({
      ...defineFlow({ flow, blocks: { [`hello-${flow}`]: modal({ complete: 'finish' }) } }),
      format: 2,
      attention: { group: 'news' },
    });
  const rules = { atOnce: 2, limit: { starts: 3, per: 86_400_000 } };
  await applySharedFile(fixture.dataSource, ATTENTION_FILE, new Map([['news', rules]]), {
    by: 'test',
  });
  await fixture.identifyAll(USERS, () => ({}));
  const wanted = { environment: 'development', kind: 'blocks' } as const;
  ({ key } = await createKey(fixture.dataSource, wanted, { by: 'test' }));
  replicas = [await start(), await start()];
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await fixture.close();
});

/** Lost where the replica is killed during the request. */
const ask = (replica: number, user: string, request: string): Promise<unknown> => {
  const [method, path] = request.split(' ');
  const query = `?version=1&userIdentifier=${user}`;
  return call(replicas[replica]!, `${method} /v2/flow/${path}${query}`, { key }).catch(() => null);
};

interface Row {
  places: Record<string, number>;
  running: Record<string, number>;
  starts: number;
  started: number;
}

/** What is noted of each user in the group, and what their states and events say. */
const load = (): Promise<Row[]> =>
  fixture.dataSource.query(`
    SELECT a.places, jsonb_array_length(a.starts) AS starts,
      (SELECT coalesce(jsonb_object_agg(s.flow, s.version), '{}') FROM flow_states s WHERE s.user_id = a.user_id
         AND s.state @> '{"started": true, "stopped": false, "finished": false}') AS running,
      (SELECT count(*)::int FROM flow_events e WHERE e.user_id = a.user_id
         AND e.event -> 'changes' @> '[{"kind": "flow", "started": true}]') AS started
    FROM attention_states a`);

test('a replica that is killed amid reads of a group leaves what is noted equal to what happened (Q3, Q4)', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    let answered = 0;
    const asked = USERS.flatMap((user, index) =>
      FLOWS.flatMap((flow) =>
        [0, 1].map(async (replica) => {
          // Some end, so that others may start.
          const ends = kill > 0 && index % KILLS === kill && flow === FLOWS[kill - 1];
          await ask(replica, user, ends ? `POST ${flow}/finish` : `GET ${flow}`);
          answered++;
        }),
      ),
    );
    await until(() => answered > 200);
    const [victim] = replicas;
    victim!.process.kill('SIGKILL');
    await Promise.all(asked);
    await victim!.ended;
    replicas[0] = await start();
  }
  const rows = await load();
  expect(rows.length).toBeGreaterThan(USERS.length / 2);
  for (const { places, running, starts, started } of rows) {
    expect(places).toEqual(running);
    expect(starts).toBe(started);
    expect(starts).toBeLessThanOrEqual(3);
    expect(Object.keys(running).length).toBeLessThanOrEqual(2);
  }
});
