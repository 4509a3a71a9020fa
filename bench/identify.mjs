// P1 to P4, P7 and Z2: identify against pgbench, a bare handler, the obvious service, and itself
// one by one.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';
import { createKey } from '@waymark/domain/access';
import { userId } from '@waymark/domain/users';
import { swcOptions } from '../tools/build.mjs';
import { countStatements, openServer } from './stand/database.mjs';
import { hasPgbench, pgbench } from './stand/pgbench.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

export const USERS = 100_000;
const CONNECTIONS = 64;
const BATCH = 100;
/** Connections to PostgreSQL of each service: the default of pg, of TypeORM and of Waymark. */
const POOL_SIZE = '10';

const SERVICE = new URL('../dist/apps/users-api/main.js', import.meta.url);
export const BARE = new URL('./baselines/bare-fastify.mjs', import.meta.url);
const LOAD = new URL('./loads/identify.mjs', import.meta.url);

export const SINGLE_ROW = (environmentId) => `\\set id random(0, ${USERS - 1})
\\set seats random(0, 999)
INSERT INTO users (user_id, environment_id, identifier, properties) VALUES (
  md5(:id::text)::uuid, '${environmentId}', 'user-' || :id,
  ('{"plan":"pro","seats":' || :seats || ',"admin": false,"company":"Example Inc","email":"ada@example.com","signedUpAt":"2024-05-01"}')::jsonb)
ON CONFLICT (user_id) DO UPDATE SET properties = users.properties || excluded.properties, updated_at = clock_timestamp();
`;

export async function measure(settings) {
  const server = await openServer();
  try {
    const subjects = await openSubjects(server);
    const rates = await interleave(subjects.measured, settings);
    const count = await countWaymark(subjects.waymark);
    await subjects.stop();
    return report(rates, count);
  } finally {
    await server.close();
  }
}

async function openSubjects(server) {
  const databases = {};
  for (const name of ['waymark', 'single_row', 'bare', 'obvious'])
    databases[name] = await openDatabase(server, name);
  const { waymark, single_row, bare, obvious } = databases;
  waymark.key = (
    await createKey(
      waymark.dataSource,
      { environment: 'development', kind: 'users' },
      { by: 'bench' },
    )
  ).key;
  waymark.service = await startServer(SERVICE, {
    DATABASE_URL: waymark.url,
    LOG_LEVEL: 'info',
    NODE_ENV: 'production',
  });
  const baseline = ({ url, environmentId }) => ({
    DATABASE_URL: url,
    ENVIRONMENT_ID: environmentId,
    POOL_SIZE,
    NODE_ENV: 'production',
  });
  bare.service = await startServer(BARE, baseline(bare));
  obvious.service = await startServer(await buildObvious(), baseline(obvious));
  const one = (subject) => (seconds) => load(subject, seconds, { path: '/identify' });
  const measured = {
    ...(hasPgbench() && { pgbench: (seconds) => singleRow(single_row, seconds) }),
    bare: one(bare),
    waymark: one(waymark),
    track: (seconds) => load(waymark, seconds, { path: '/track' }),
    batch: async (seconds) =>
      BATCH * (await load(waymark, seconds, { path: '/identify/batch', batch: BATCH })),
    obvious: one(obvious),
  };
  const stop = () => Promise.all([waymark, bare, obvious].map(({ service }) => service.stop()));
  return { measured, waymark, stop };
}

/** A database of 100,000 users, keyed as its writer keys them. */
export async function openDatabase(server, name) {
  const { url, dataSource } = await server.create(`bench_${name}`);
  const [{ id: environmentId }] = await dataSource.query(
    "SELECT id FROM environments WHERE name = 'development'",
  );
  const keys = Array.from({ length: USERS }, (_, index) => userId(environmentId, `user-${index}`));
  await dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier, properties)
     SELECT CASE WHEN $3 THEN md5(n::text)::uuid ELSE key END, $1, 'user-' || n, '{"plan":"free"}'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS row (key, n1), LATERAL (SELECT n1 - 1 AS n)`,
    [environmentId, keys, name === 'single_row'],
  );
  await dataSource.query('VACUUM ANALYZE users');
  return { url, dataSource, environmentId };
}

async function load({ service, key }, seconds, options) {
  const result = await offerLoad({
    url: service.url,
    connections: CONNECTIONS,
    seconds,
    requests: LOAD,
    options: { users: USERS, key, ...options },
  });
  if (result.refused + result.shed > 0)
    throw new Error(`${result.refused + result.shed} requests were refused`);
  return result.rate;
}

const singleRow = async ({ url, environmentId }, seconds) =>
  (await pgbench({ url, script: SINGLE_ROW(environmentId), connections: CONNECTIONS, seconds }))
    .rate;

export async function buildObvious() {
  const source = fileURLToPath(new URL('./baselines/obvious-nest.ts', import.meta.url));
  const target = fileURLToPath(new URL('../dist/bench/obvious-nest.mjs', import.meta.url));
  const { code } = await swc.transformFile(source, { ...swcOptions, sourceMaps: false });
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, code);
  return new URL(`file://${target}`);
}

/** Statements and commits for each identify: one after the other, and 64 at once (P7). */
async function countWaymark(waymark) {
  const per = async (connections) => {
    let requests = 0;
    const options = { users: USERS, key: waymark.key, path: '/identify' };
    const counted = await countStatements(waymark.dataSource, async () => {
      const result = await offerLoad({
        url: waymark.service.url,
        connections,
        seconds: 2,
        requests: LOAD,
        options,
      });
      requests = result.answered;
    });
    return { statements: counted.statements / requests, commits: counted.commits / requests };
  };
  return { alone: await per(1), together: await per(CONNECTIONS) };
}

function report(rates, { alone, together }) {
  const rate = (name) => `${Math.round(median(rates[name]))}/s`;
  const note = (name, other) => `${rate(name)} against ${rate(other)}`;
  const compare = (id, what, name, other, against, goal) => ({
    id,
    what,
    against,
    goal,
    ...(rates[other]
      ? { ratio: ratio(rates[name], rates[other]), note: note(name, other) }
      : { ratio: '–', note: 'pgbench is missing (Debian: postgresql-contrib)' }),
  });
  const exact = ({ statements, commits }) => `${statements.toFixed(2)} and ${commits.toFixed(2)}`;
  const what = `POST /identify, ${CONNECTIONS} connections`;
  return [
    compare('P1', what, 'waymark', 'pgbench', 'pgbench, single row', '≥ 1.0, aim 1.4'),
    compare('P2', what, 'waymark', 'bare', 'bare Fastify + pg', '≥ 1.8, aim 2.5'),
    compare('P3', what, 'waymark', 'obvious', 'NestJS + ValidationPipe + TypeORM upsert', '≥ 4'),
    compare(
      'P4',
      `POST /identify/batch of ${BATCH}, users a second`,
      'batch',
      'waymark',
      'POST /identify',
      '≥ 5',
    ),
    compare(
      'Z2',
      `POST /track, ${CONNECTIONS} connections`,
      'track',
      'waymark',
      'POST /identify',
      'like P1',
    ),
    {
      id: 'P7',
      what: 'statements and commits, one identify after the other',
      against: 'a request',
      ratio: exact(alone),
      goal: '1 and ≤ 1',
    },
    {
      id: 'P7',
      what: `the same, ${CONNECTIONS} at once`,
      against: 'a request',
      ratio: exact(together),
      goal: '≤ 1 and ≤ 1',
    },
  ];
}
