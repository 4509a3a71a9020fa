import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey, getEnvironment } from '@waymark/domain/access';
import { setReleases } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import { card, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { LiveReplicas } from './live-replicas.js';

const MINUTE = 60_000;
/** Between reads and between commits: some hundreds of each, beside other tests. */
const PAUSE_MS = 100;
const AUTHOR = { by: 'test' };
const REPLICAS = [0, 1];

let live: LiveReplicas;
let production: { id: string; key: string };

beforeAll(async () => {
  live = await LiveReplicas.open(REPLICAS.length);
  const { dataSource } = live.fixture;
  const { id } = await getEnvironment(dataSource, 'production');
  const { key } = await createKey(
    dataSource,
    { environment: 'production', kind: 'blocks' },
    AUTHOR,
  );
  production = { id, key };
  await dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, 'ada', '{}')`,
    [userId(id, 'ada'), id],
  );
  await live.commit(versionOf(1));
  await setReleases(dataSource, 'production', true, AUTHOR);
  // A replica that knows of this flow knows of that too.
  await live.commit(defineFlow({ flow: 'later', blocks: { later: card() } }));
});
afterAll(() => live.close());

/** Whoever meets it starts again, which nobody could miss. */
const versionOf = (number: number) =>
  defineFlow({
    flow: 'tour',
    blocks: { hello: card({ complete: 'next' }), next: card(), [`extra-${number}`]: card() },
  });

const PATHS = [
  '/v2/flow/tour?userIdentifier=ada&version=latest&include=block',
  '/v2/flows?userIdentifier=ada&flow=tour',
  '/v2/block/tour.next?userIdentifier=ada&version=latest',
  '/v2/types?flow=tour',
];
const inProduction = async (path: string, replica: number): Promise<string> => {
  const { status, body } = await call({ url: live.url(replica) }, `GET ${path}`, {
    key: production.key,
  });
  return `${status} ${JSON.stringify(body)}`;
};

async function commitAndWait(number: number): Promise<void> {
  await live.fixture.commit(versionOf(number), 'restart-all');
  const path = '/v2/flow/tour?userIdentifier=somebody&version=latest';
  for (const replica of REPLICAS)
    await until(async () => {
      const { body } = await live.get(path, replica);
      return (body as { version: number }).version === number;
    });
}

test('commits in one environment, while another reads for a minute, change no answer, push and state there (Z10)', async () => {
  await inProduction(PATHS[0]!, 0);
  await call(
    { url: live.url() },
    'POST /v2/block/tour.hello/transition?userIdentifier=ada&version=latest&transitions=complete',
    { key: production.key, body: {} },
  );
  const watchers = await Promise.all(
    REPLICAS.map((replica) => live.connect('ada', { url: live.url(replica), key: production.key })),
  );
  for (const watcher of watchers)
    expect((await watcher.watch('tour', 'latest')).flow).toMatchObject({ version: 1, revision: 2 });
  const snapshots = watchers.map(({ told }) => [...told]);

  let isOver = false;
  const answers = PATHS.map(() => new Set<string>());
  const readers = REPLICAS.map(async (replica) => {
    while (!isOver) {
      for (const [index, path] of PATHS.entries())
        answers[index]!.add(await inProduction(path, replica));
      await pause(PAUSE_MS);
    }
  });
  const end = performance.now() + MINUTE;
  for (let number = 2; performance.now() < end; number++) {
    await commitAndWait(number);
    await pause(PAUSE_MS);
  }
  isOver = true;
  await Promise.all(readers);

  for (const each of answers) expect([...each]).toEqual([expect.stringMatching(/^200 /)]);
  expect(watchers.map(({ told }) => told)).toEqual(snapshots);
  const states = await live.fixture.dataSource.query(
    'SELECT version, revision FROM flow_states WHERE user_id = $1',
    [userId(production.id, 'ada')],
  );
  expect(states).toEqual([{ version: 1, revision: 2 }]);
});
