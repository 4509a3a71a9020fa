// P14: the report of a flow that a million users are in, against the rate at which COPY reads the
// same rows; and what requests notice of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { largeFlow } from '@waymark/testing/sample-flows';
import { openServer } from './stand/database.mjs';
import { openFlowService, readPlain } from './stand/flow-service.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { offerLoad } from './stand/processes.mjs';
import { median, ratio } from './stand/rounds.mjs';

const USERS = Number(process.env.BENCH_USERS ?? 1_000_000);
const CONNECTIONS = 64;
/** Users who go through the flow by requests; all others are where one of them is. */
const WALKERS = 500;
/** Blocks that one of them leaves at most. */
const FARTHEST = 15;
/** Users with events: those with the lowest ids, whom the report follows, and some more. */
const FOLLOWED = 12_000;
const IS_WALKER = `substr(identifier, 6)::int < ${WALKERS}`;
/**
 * It has a name of its own, as `openFlowService` gives every user a state of the flow named
 * `twenty`.
 */
const FLOW = largeFlow(20, 'reported');
const WAYMARK = fileURLToPath(new URL('../apps/waymark/bin/waymark.mjs', import.meta.url));
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

export async function measure({ rounds, seconds, log }) {
  const server = await openServer();
  try {
    const subject = await openFlowService(server, 'report', {
      users: USERS,
      flows: [FLOW],
      settings: PATIENT,
    });
    await scatter(subject, log);
    const { copied, reported, peaks } = await readAll(subject, { rounds, log });
    const requests = await askMeanwhile(subject, { rounds, seconds, log });
    await subject.service.stop();
    return [
      {
        id: 'P14',
        what: `flow report, ${USERS} states, rows a second`,
        against: 'COPY of the same rows',
        ratio: ratio(reported, copied),
        goal: 0.25,
        note: `${Math.round(median(reported))}/s against ${Math.round(median(copied))}/s`,
      },
      {
        id: 'P14',
        what: 'its memory',
        against: 'at its highest',
        ratio: `${median(peaks)} MiB`,
        goal: 'at most 300',
      },
      {
        id: 'P14',
        what: `GET flow, half the peak offered (${requests.offered}/s), meanwhile`,
        against: 'without it',
        ratio: ratio(requests.meanwhile, requests.calm),
        goal: 0.8,
        note: `${Math.round(median(requests.meanwhile))}/s against ${Math.round(median(requests.calm))}/s`,
      },
    ];
  } finally {
    await server.close();
  }
}

/**
 * Lets some users walk, each to another place, and gives everybody else the state of one of them.
 */
async function scatter(subject, log) {
  const { dataSource } = subject;
  for (let walker = 0; walker < WALKERS; walker++) await walk(subject, walker);
  const walkers = `(SELECT user_id, row_number() OVER (ORDER BY user_id) - 1 AS n FROM users WHERE ${IS_WALKER}) w`;
  const others = `(SELECT user_id, row_number() OVER (ORDER BY user_id) AS n FROM users WHERE NOT ${IS_WALKER}) o`;
  const each = `${others} JOIN ${walkers} ON w.n = o.n % ${WALKERS}`;
  await dataSource.query(
    `DELETE FROM flow_states s USING users u WHERE u.user_id = s.user_id AND NOT ${IS_WALKER}`,
  );
  await dataSource.query(
    `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
     SELECT o.user_id, f.flow, f.version, f.revision, f.edition, f.state FROM ${each} JOIN flow_states f ON f.user_id = w.user_id`,
  );
  await dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, at, event)
     SELECT o.user_id, e.flow, e.version, e.revision, e.at, e.event FROM ${each} JOIN flow_events e ON e.user_id = w.user_id
     WHERE o.n <= ${FOLLOWED}`,
  );
  await dataSource.query('VACUUM ANALYZE');
  const [{ states, shapes, mb }] = await dataSource.query(
    `SELECT count(*)::int AS states, count(DISTINCT state)::int AS shapes, sum(pg_column_size(state)) / 1048576 AS mb FROM flow_states`,
  );
  log(`  ${states} states of ${shapes} shapes, ${mb} MiB of them`);
}

/** Leaves one block after the other, whichever is active and by its own choice of names. */
async function walk({ service, headers }, walker) {
  const user = `userIdentifier=user-${walker}&version=1`;
  for (let turn = 0; turn < walker % FARTHEST; turn++) {
    const { blocks } = await (
      await fetch(`${service.url}/v2/flow/reported?include=block&${user}`, { headers })
    ).json();
    const active = blocks.filter(({ state }) => state.active);
    if (active.length === 0) return;
    const { uid, transitioned } = active[(walker + turn) % active.length];
    const names = Object.keys(transitioned);
    const name = names[(walker * 7 + turn) % 13 === 0 ? names.length - 1 : 0];
    const path = `/v2/block/${uid}/transition?${user}&transitions=${name}`;
    await (await fetch(`${service.url}${path}`, { method: 'POST', headers })).text();
  }
}

/** Rows a second of both, one after the other, and the memory of the report. */
async function readAll(subject, { rounds, log }) {
  const [copied, reported, peaks] = [[], [], []];
  for (let round = 0; round <= rounds; round++) {
    const since = performance.now();
    await subject.dataSource.query(
      `COPY (SELECT user_id, state FROM flow_states WHERE flow = 'reported') TO '/dev/null'`,
    );
    const copy = (USERS * 1_000) / (performance.now() - since);
    const { seconds, peakMiB } = await report(subject);
    log(
      `  ${round === 0 ? 'warmed up' : `round ${round}`}: ${Math.round(USERS / seconds)}/s · copy ${Math.round(copy)}/s`,
    );
    if (round === 0) continue;
    copied.push(copy);
    reported.push(USERS / seconds);
    peaks.push(peakMiB);
  }
  return { copied, reported, peaks };
}

/**
 * Runs the command as an operator would; how long it took, its start included, and its memory at
 * its highest.
 */
async function report({ url }) {
  const since = performance.now();
  const child = spawn(process.execPath, [WAYMARK, '--json', 'flow', 'report', 'reported'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  let peak = 0;
  const watch = setInterval(async () => (peak = Math.max(peak, await peakOf(child.pid))), 50);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  if (code !== 0) throw new Error(`the report ended with ${code}`);
  const { users } = JSON.parse(text);
  if (users !== USERS) throw new Error(`${users} users were counted instead of ${USERS}`);
  return { seconds: (performance.now() - since) / 1_000, peakMiB: Math.round(peak / 1_024) };
}

/** The most resident memory that a process had, in KiB; 0 when it is gone. */
async function peakOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
}

/**
 * Requests that are answered while reports run one after the other; half of the peak is offered.
 */
async function askMeanwhile(subject, { rounds, seconds, log }) {
  const options = { ...readPlain('reported'), users: USERS, headers: subject.headers };
  const offer = (how) =>
    offerLoad({ url: subject.service.url, seconds, requests: LOAD, options, ...how });
  const { rate } = await offer({ connections: CONNECTIONS });
  const offered = Math.round(rate / 2);
  const [calm, meanwhile] = [[], []];
  for (let round = 0; round < rounds; round++) {
    calm.push((await offer({ perSecond: offered })).rate);
    let isOver = false;
    const reports = (async () => {
      while (!isOver) await report(subject);
    })();
    meanwhile.push((await offer({ perSecond: offered })).rate);
    isOver = true;
    await reports;
    log(
      `  round ${round + 1}: ${Math.round(meanwhile.at(-1))}/s meanwhile · ${Math.round(calm.at(-1))}/s without`,
    );
  }
  return { offered, calm, meanwhile };
}
