import { createKey } from '@waymark/domain/access';
import { commitFlow, storeDefinition } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import { custom, defineFlow } from '@waymark/testing/builders';
import { startServer } from './processes.mjs';

const SERVICE = new URL('../../dist/apps/blocks-api/main.js', import.meta.url);

/** Users written at once. */
const CHUNK = 100_000;

/** One block that leads straight back to itself: every transition takes effect. */
export const LOOP = {
  ...defineFlow({ flow: 'loop', blocks: { again: custom({ again: 'again' }) } }),
};
LOOP.blocks[0].uid = 'loop-again';

/** Requests of a user; `loads/flows.mjs` puts one user after the other in. */
export const read = (flow) => ({
  method: 'GET',
  path: `/v2/flow/${flow}?version=1&userIdentifier=USER&include=block`,
});
export const readPlain = (flow) => ({
  method: 'GET',
  path: `/v2/flow/${flow}?version=1&userIdentifier=USER`,
});
export const transition = {
  method: 'POST',
  path: '/v2/block/loop-again/transition?version=1&userIdentifier=USER&transitions=again',
};

/** A database with users who have started the flows, and blocks-api on it. */
export async function openFlowService(
  server,
  name,
  { users, flows, settings = {}, service: main = SERVICE },
) {
  const { url, dataSource } = await server.create(`bench_flows_${name}`);
  const [{ id: environmentId }] = await dataSource.query(
    "SELECT id FROM environments WHERE name = 'development'",
  );
  const { key } = await createKey(
    dataSource,
    { environment: 'development', kind: 'blocks' },
    { by: 'bench' },
  );
  for (const flow of flows) await commit(dataSource, flow);
  for (let from = 0; from < users; from += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, users - from) }, (_, index) =>
      userId(environmentId, `user-${from + index}`),
    );
    await dataSource.query(
      `INSERT INTO users (user_id, environment_id, identifier, properties)
       SELECT id, $2, 'user-' || $3::int + n - 1, '{"plan":"pro","roles":["Admin"]}'
       FROM unnest($1::uuid[]) WITH ORDINALITY u (id, n)`,
      [ids, environmentId, from],
    );
  }
  const service = await startServer(main, {
    DATABASE_URL: url,
    NODE_ENV: 'production',
    ...settings,
  });
  const subject = { url, dataSource, environmentId, service, users, headers: { 'x-api-key': key } };
  for (const { flow } of flows) await startAll(subject, flow);
  await dataSource.query('DELETE FROM effects');
  await dataSource.query('VACUUM ANALYZE');
  return subject;
}

/** Commits a flow. */
export const commit = (dataSource, definition) =>
  dataSource.transaction(async (manager) => {
    await storeDefinition(manager, definition);
    await commitFlow(manager, definition.flow, 'bench');
  });

/** Flows that all users have started; the others only the first ten thousand. */
const MOVED = new Set(['twenty', 'loop']);

/** The first user starts the flow over HTTP; the others get a copy of that state. */
async function startAll({ dataSource, service, headers }, flow) {
  await get({ service, headers }, flow);
  await dataSource.query(
    `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
     SELECT u.user_id, s.flow, 1, 1, 1, s.state FROM users u, flow_states s WHERE s.flow = $1
       AND ($2 OR u.identifier ~ '^user-[0-9]{1,4}$') ON CONFLICT DO NOTHING`,
    [flow, MOVED.has(flow)],
  );
}

/** The body of a read of the first user. */
export async function get({ service, headers }, flow) {
  const { path } = read(flow);
  const answer = await fetch(`${service.url}${path.replace('USER', 'user-0')}`, { headers });
  if (answer.status !== 200) throw new Error(await answer.text());
  return answer.text();
}
