// P18: processor time of an identify, a read of 20 blocks and a transition, in the service and in
// PostgreSQL together, against the least that could be written, the same loads in one run.
// BENCH_AGAINST adds another build, as in builds.mjs.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadOf, openBuild } from './builds.mjs';
import { bareTransition, openBare } from './flows.mjs';
import { BARE, buildObvious, openDatabase, SINGLE_ROW, USERS } from './identify.mjs';
import { openServer } from './stand/database.mjs';
import { LOOP, read } from './stand/flow-service.mjs';
import { hasPgbench, pgbench } from './stand/pgbench.mjs';
import { startServer } from './stand/processes.mjs';
import { postgresTimeOf, timeOf } from './stand/processor-time.mjs';
import { median } from './stand/rounds.mjs';

const CONNECTIONS = 64;
const POOL_SIZE = '10';
/**
 * So many of each of pgbench's connections, whatever they take: by time, a busy machine would do
 * nothing but connect.
 */
const EACH_PER_SECOND = 100;
const OF_FLOWS = new URL('./loads/flows.mjs', import.meta.url);
const OF_IDENTIFY = new URL('./loads/identify.mjs', import.meta.url);

/** What a request is called in a build, and what each of its goals is. */
const CALLS = {
  identify: { what: 'POST /identify', goals: { bare: 0.5, obvious: '–', pgbench: 0.9 } },
  read: { what: 'GET flow, 20 blocks', goals: { bare: 1 } },
  transition: { what: 'POST transition', goals: { bare: 0.7, pgbench: '–' } },
};
const NAMES = {
  other: 'the other build',
  bare: 'bare Fastify + pg',
  obvious: 'NestJS + ValidationPipe + TypeORM upsert',
  pgbench: 'pgbench, the same statements',
};

export async function measure(settings) {
  if (process.platform !== 'linux') {
    settings.log('  left out: processor time is read from /proc, which Linux has');
    return [];
  }
  // Autovacuum would be charged to whichever subject runs when it starts.
  const server = await openServer({ autovacuum: 'off' });
  try {
    const { subjects, backend, stop } = await openSubjects(server);
    const rounds = await measureInTurn(subjects, backend, settings);
    await stop();
    return Object.keys(CALLS).flatMap((call) => rowsOf(call, rounds));
  } finally {
    await server.close();
  }
}

async function openSubjects(server) {
  const builds = { waymark: await openBuild(server, 'this', new URL('../', import.meta.url)) };
  const other = process.env.BENCH_AGAINST;
  if (other)
    builds.other = await openBuild(server, 'other', pathToFileURL(`${path.resolve(other)}/`));
  const bare = await openBareServices(server, builds.waymark);
  const subjects = {
    ...Object.fromEntries(
      Object.keys(CALLS).flatMap((call) =>
        Object.entries(builds).map(([name, { loads }]) => [
          `${call} ${name}`,
          loads[CALLS[call].what],
        ]),
      ),
    ),
    ...bare.subjects,
    ...(hasPgbench() && (await openPgbench(server))),
  };
  const [{ backend }] = await builds.waymark.dataSource.query('SELECT pg_backend_pid() AS backend');
  const stop = () => Promise.all([...Object.values(builds), bare].map((one) => one.stop()));
  return { subjects, backend, stop };
}

async function openBareServices(server, waymark) {
  const users = await openDatabase(server, 'bare');
  const settings = {
    DATABASE_URL: users.url,
    ENVIRONMENT_ID: users.environmentId,
    POOL_SIZE,
    NODE_ENV: 'production',
  };
  const identify = await startServer(BARE, settings);
  const obvious = await startServer(await buildObvious(), settings);
  const { service } = await openBare(waymark);
  const identified = { path: '/identify', users: USERS };
  const ofFlows = (request) => loadOf(service, OF_FLOWS, { ...request, users: waymark.users });
  return {
    subjects: {
      'identify bare': loadOf(identify, OF_IDENTIFY, identified),
      'identify obvious': loadOf(obvious, OF_IDENTIFY, identified),
      'read bare': ofFlows(read('twenty')),
      'transition bare': ofFlows(bareTransition),
    },
    stop: () => Promise.all([identify, obvious, service].map((one) => one.stop())),
  };
}

/**
 * PostgreSQL alone: what the statements cost without any service; pgbench itself counts as a load
 * generator.
 */
async function openPgbench(server) {
  const { url, dataSource, environmentId } = await openDatabase(server, 'single_row');
  const state = {
    started: true,
    stopped: false,
    finished: false,
    blocks: { 'loop-again': { active: true, entered: true } },
    gates: {},
  };
  await dataSource.query(
    `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
     SELECT user_id, '${LOOP.flow}', 1, 1, 1, $1 FROM users`,
    [state],
  );
  await dataSource.query('VACUUM ANALYZE flow_states');
  const subject = (script) => ({
    offer: (seconds) =>
      pgbench({ url, script, connections: CONNECTIONS, each: EACH_PER_SECOND * seconds }),
  });
  return {
    'identify pgbench': subject(SINGLE_ROW(environmentId)),
    'transition pgbench': subject(fiveStatements(state)),
  };
}

const fiveStatements = (state) => {
  const event = {
    format: 1,
    cause: { kind: 'transition', block: 'loop-again', names: ['again'] },
    changes: ['exited', 'transitioned', 'entered'].map((kind) => ({ kind, block: 'loop-again' })),
  };
  // A colon before a letter would be a variable to pgbench.
  const text = (value) => JSON.stringify(value).replaceAll(':', ': ');
  const key = `user_id = md5(:id::text)::uuid AND flow = '${LOOP.flow}' AND version = 1`;
  return `\\set id random(0, ${USERS - 1})
BEGIN;
SELECT revision + 1 AS revision FROM flow_states WHERE ${key} FOR UPDATE \\gset
UPDATE flow_states SET revision = :revision, state = '${text(state)}', updated_at = now() WHERE ${key};
INSERT INTO flow_events (user_id, flow, version, revision, event) VALUES (md5(:id::text)::uuid, '${LOOP.flow}', 1, :revision, '${text(event)}');
COMMIT;
`;
};

/**
 * All subjects in turn, as `interleave` has it: `{ name: [{ service, postgres, together, rate }]
 * }`, in µs for a request.
 */
async function measureInTurn(subjects, backend, { rounds, seconds, log }) {
  const figures = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const figure = await costOf(subject, backend, round === 0 ? Math.min(2, seconds) : seconds);
      if (round > 0) figures[name].push(figure);
    }
    const line = Object.entries(figures).map(
      ([name, list]) => `${name} ${Math.round(list.at(-1)?.together ?? 0)} µs`,
    );
    log(round === 0 ? '  warmed up' : `  round ${round}: ${line.join(' · ')}`);
  }
  return figures;
}

async function costOf({ pid, offer }, backend, seconds) {
  const timesNow = () => Promise.all([pid ? timeOf(pid) : 0, postgresTimeOf(backend)]);
  const before = await timesNow();
  const { answered, rate } = await offer(seconds);
  const [service, postgres] = (await timesNow()).map(
    (time, index) => (time - before[index]) / answered,
  );
  return { service, postgres, together: service + postgres, rate };
}

function rowsOf(call, figures) {
  const { what, goals } = CALLS[call];
  const mine = figures[`${call} waymark`];
  return Object.entries({ other: '≤ 1.03', ...goals }).flatMap(([name, goal]) => {
    const others = figures[`${call} ${name}`];
    if (!others) return [];
    return {
      id: 'P18',
      what: `cost of ${what}`,
      against: NAMES[name],
      ratio: median(mine.map(({ together }, round) => together / others[round].together)),
      goal: typeof goal === 'number' ? `≤ ${goal}` : goal,
      note: `${describe(mine)} against ${describe(others)}`,
    };
  });
}

const describe = (rounds) => {
  const [service, postgres, rate] = ['service', 'postgres', 'rate'].map((part) =>
    Math.round(median(rounds.map((round) => round[part]))),
  );
  return `${service} + ${postgres} µs (${rate}/s)`;
};
