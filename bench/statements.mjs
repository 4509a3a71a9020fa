// The hot statements that were given a form that Citus takes too, against the forms that they had
// before (G1): the same data, prepared, in turns of a quarter of a second, on one connection and on
// 64. Those that were not changed are not here: one server reads states and claims effects as
// before (ADR 40).
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { definedStatements } from '@waymark/domain/database';
import '@waymark/domain/outbound';
import '@waymark/domain/users';
import { STATEMENTS_BEFORE } from './baselines/statements-before.mjs';
import { openServer } from './stand/database.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 20_000;
const MANY = 64;
const SLICE_S = 0.25;
/** Rows that one statement asks for. */
const ROWS = 50;

const idOf = (number, kind = 0) =>
  `00000000-0000-4000-800${kind}-${String(number).padStart(12, '0')}`;
const ENVIRONMENT = idOf(0, 9);

const FILL = `
  INSERT INTO users (user_id, environment_id, identifier, properties)
    SELECT format('00000000-0000-4000-8000-%s', lpad(n::text, 12, '0'))::uuid, '${ENVIRONMENT}', 'user-' || n, '{"plan":"pro","roles":["Admin"]}'
    FROM generate_series(0, ${USERS - 1}) n;
  INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
    SELECT user_id, 'walk', 1, 3, 1, '{"format":1,"started":true,"stopped":false,"finished":false,"gates":{},"blocks":{"one":{"active":true}}}' FROM users;
  INSERT INTO flow_events (user_id, flow, version, revision, event)
    SELECT user_id, 'walk', 1, r, '{"format":1,"changes":[{"kind":"exited","block":"one"},{"kind":"entered","block":"two"}]}'
    FROM users, generate_series(1, 3) r;
  INSERT INTO effects (user_id, flow, version, revision, position, effect)
    SELECT user_id, 'walk', 1, r, 0, '{"kind":"webhook","url":"https://acme.test/hook","headers":[]}' FROM users, generate_series(1, 2) r;`;

/** The parameters of each, about some users. */
const VALUES = {
  identify_users: (users) => [rowsOf(users, 0)],
  identify_with_groups: (users) => {
    const groups = [...new Set(users.map((number) => number % 100))].sort(
      (one, other) => one - other,
    );
    return [
      rowsOf(users, 0),
      rowsOf(groups, 1),
      JSON.stringify(users.map((number) => ({ u: idOf(number), g: idOf(number % 100, 1) }))),
    ];
  },
  load_watched_changes: (users) => [
    users.map((number) => idOf(number)),
    users.map(() => 'walk'),
    users.map(() => 1),
    users.map(() => 2),
    users.map(() => false),
  ],
  postpone_effect: ([number]) => [idOf(number), 'walk', 1, 1, 0, 0, 'answered 500', 60],
};
const rowsOf = (numbers, kind) =>
  JSON.stringify(
    numbers.map((n) => ({
      s: idOf(n, kind),
      e: ENVIRONMENT,
      i: `user-${n}`,
      p: { plan: 'pro', seen: n },
    })),
  );

export async function measure({ rounds, log }) {
  const server = await openServer();
  try {
    const { url, dataSource } = await server.create('bench_statements');
    await dataSource.query(FILL);
    await dataSource.query('VACUUM ANALYZE');
    const pools = await Promise.all([1, MANY].map((connections) => open(url, connections)));
    const rows = [];
    for (const name of Object.keys(STATEMENTS_BEFORE)) {
      const texts = { before: STATEMENTS_BEFORE[name], now: await textOf(name) };
      for (const clients of pools)
        rows.push(
          await compare(name, texts, clients, {
            rounds: Math.max(rounds, 9),
            seconds: SLICE_S,
            log,
          }),
        );
    }
    for (const client of pools.flat()) await client.end();
    return rows;
  } finally {
    await server.close();
  }
}

/** The flush of a commit would hide what a statement costs. */
const open = (url, connections) =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' });
      await client.connect();
      return client;
    }),
  );

async function compare(name, texts, clients, settings) {
  const subjects = Object.fromEntries(
    Object.entries(texts).map(([age, text]) => [
      age,
      (seconds) => run(clients, { name: `${name}_${age}`, text }, VALUES[name], seconds),
    ]),
  );
  settings.log(`${name}, ${clients.length} connections`);
  const rates = await interleave(subjects, settings);
  const note = `${Math.round(median(rates.now))}/s against ${Math.round(median(rates.before))}/s`;
  const what = `${name}, ${clients.length === 1 ? 'one connection' : `${clients.length} connections`}`;
  return {
    id: 'G1',
    what,
    against: 'its form before',
    ratio: ratio(rates.now, rates.before),
    goal: '0.97',
    note,
  };
}

/**
 * Statements a second. Each connection goes through users of its own in turn, so that none waits
 * for another.
 */
async function run(clients, statement, valuesOf, seconds) {
  const until = performance.now() + seconds * 1_000;
  const share = Math.floor(USERS / clients.length);
  let count = 0;
  await Promise.all(
    clients.map(async (client, place) => {
      for (let turn = 0; performance.now() < until; turn++) {
        const users = Array.from(
          { length: ROWS },
          (_, index) => place * share + ((turn * ROWS + index) % share),
        );
        await client.query({
          ...statement,
          values: valuesOf(users.sort((one, other) => one - other)),
        });
        count++;
      }
    }),
  );
  return count / seconds;
}

/** One statement is defined in a service, and nothing can be imported from a service. */
async function textOf(name) {
  const defined = definedStatements().find((statement) => statement.name === name);
  if (defined) return defined.text;
  const source = await readFile(
    new URL('../apps/blocks-api/src/live/read/load-changes.ts', import.meta.url),
    'utf8',
  );
  const [, text] = /`(SELECT [^`]+)`/.exec(source);
  return text.replace('${ofEvents}', '');
}
