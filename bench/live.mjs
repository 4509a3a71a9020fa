// P8 and P10: how long after the answer a change is shown on another replica, what an open socket
// costs, and what watchers cost the transitions of P6.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKey } from '@waymark/domain/access';
import { commitFlow, storeDefinition } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import { custom, defineFlow } from '@waymark/testing/builders';
import { openServer } from './stand/database.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { memoryOf, offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';
import { watch } from './stand/sockets.mjs';

const CHANGES_PER_SECOND = 500;
const SOCKETS = 5_000;
const READS_PER_SECOND = 200;
const CONNECTIONS = 64;

const SETTINGS = {
  ...PATIENT,
  NODE_ENV: 'production',
  LIVE_HANDSHAKES_PER_SECOND: '100000',
};

const SERVICE = new URL('../dist/apps/blocks-api/main.js', import.meta.url);
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

/**
 * One block that leads straight back to itself: every transition takes effect. `u-again` is
 * watched, `u-quietly` never.
 */
const FLOWS = [
  defineFlow({ flow: 'loop', blocks: { again: custom({ again: 'again' }) } }),
  defineFlow({ flow: 'quiet', blocks: { quietly: custom({ again: 'quietly' }) } }),
];

const transition = '/v2/block/u-again/transition?version=1&userIdentifier=USER&transitions=again';
const quietTransition = transition.replace('u-again', 'u-quietly');
const read = '/v2/flow/loop?version=1&userIdentifier=USER&include=block';

export async function measure(settings) {
  const server = await openServer();
  try {
    const stand = await openStand(server);
    const latency = await measureLatency(stand, settings);
    const cost = await measureCost(stand, settings);
    const sockets = await measureSockets(stand, settings);
    await Promise.all(stand.services.map((service) => service.stop()));
    return [latency, ...cost, ...sockets];
  } finally {
    await server.close();
  }
}

/** Two replicas, and users who have started the flow. */
async function openStand(server) {
  const { url, dataSource } = await server.create('bench_live');
  const [{ id: environmentId }] = await dataSource.query(
    "SELECT id FROM environments WHERE name = 'development'",
  );
  const { key } = await createKey(
    dataSource,
    { environment: 'development', kind: 'blocks' },
    { by: 'bench' },
  );
  for (const definition of FLOWS) {
    await dataSource.transaction(async (manager) => {
      await storeDefinition(manager, definition);
      await commitFlow(manager, definition.flow, 'bench');
    });
  }
  const ids = Array.from({ length: SOCKETS }, (_, index) => userId(environmentId, `user-${index}`));
  await dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier)
     SELECT id, $2, 'user-' || n - 1 FROM unnest($1::uuid[]) WITH ORDINALITY u (id, n)`,
    [ids, environmentId],
  );
  const start = () => startServer(SERVICE, { DATABASE_URL: url, ...SETTINGS });
  const services = [await start(), await start()];
  for (const { flow } of FLOWS) {
    const path = read.replace('USER', 'user-0').replace('loop', flow);
    await fetch(services[0].url + path, { headers: { 'x-api-key': key } });
  }
  await dataSource.query(
    `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
     SELECT u.user_id, s.flow, 1, 1, 1, s.state FROM users u, flow_states s ON CONFLICT DO NOTHING`,
  );
  await dataSource.query('VACUUM ANALYZE');
  return { key, services, start };
}

/** Changes by one replica, watched on the other: milliseconds from the answer to the event, p99. */
async function measureLatency({ key, services: [here, there] }, { rounds, seconds, log }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  /** By user: what is called when the change under way is shown. */
  const shown = new Map();
  const users = Array.from({ length: CHANGES_PER_SECOND }, (_, index) => `user-${index}`);
  const sockets = await Promise.all(
    users.map((user) =>
      watch({
        url: there.url,
        key,
        user,
        flow: 'loop',
        onFlow: () => shown.get(user)?.(performance.now()),
      }),
    ),
  );
  const p99s = [];
  for (let round = 0; round <= rounds; round++) {
    const began = performance.now();
    const delays = [];
    // One change of a user after the other, so that each has an event of its own.
    const turns = new Map();
    for (let number = 0; number < CHANGES_PER_SECOND * seconds; number++) {
      const user = users[number % users.length];
      const due = began + (number * 1000) / CHANGES_PER_SECOND;
      if (due > performance.now() + 1) await pause(due - performance.now());
      const turn = (turns.get(user) ?? Promise.resolve()).then(() => change(user));
      turns.set(user, turn);
      delays.push(turn);
    }
    const sorted = (await Promise.all(delays)).sort((a, b) => a - b);
    if (round > 0) p99s.push(sorted[Math.floor(sorted.length * 0.99)]);
    log(
      `  pushes: ${round === 0 ? 'warmed up' : `round ${round}: p99 ${p99s.at(-1).toFixed(1)} ms after the answer`}`,
    );
  }
  for (const socket of sockets) socket.close();
  agent.destroy();
  return {
    id: 'P8',
    what: `a change on one replica to its event on another, ${CHANGES_PER_SECOND}/s, p99`,
    against: 'the answer of the change',
    ratio: `${median(p99s).toFixed(1)} ms later`,
    goal: 'at most 30 ms',
  };

  async function change(user) {
    const shownAt = new Promise((resolve) => shown.set(user, resolve));
    await post(agent, here.url + transition.replace('USER', user), key);
    const answeredAt = performance.now();
    return (await shownAt) - answeredAt;
  }
}

function post(agent, url, key) {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'x-api-key': key } },
      (answer) => {
        if (answer.statusCode !== 204) reject(new Error(`answered with ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      },
    );
    sent.on('error', reject).end();
  });
}

/** Transitions of users whom the other replica watches, and of users whom nobody watches. */
async function measureCost({ key, services: [here, there] }, settings) {
  const watched = 1_000;
  const watchers = await openSockets({ url: there.url, key, count: watched });
  const load = (path) => async (seconds) => {
    const asked = { method: 'POST', path, users: watched, headers: { 'x-api-key': key } };
    return (
      await offerLoad({
        url: here.url,
        connections: CONNECTIONS,
        seconds,
        requests: LOAD,
        options: asked,
      })
    ).rate;
  };
  const rates = await interleave(
    { watched: load(transition), unwatched: load(quietTransition) },
    settings,
  );
  watchers.kill();
  const rate = (name) => `${Math.round(median(rates[name]))}/s`;
  return [
    {
      id: 'P6',
      what: 'POST transition, every user watched on another replica',
      against: 'nobody watched',
      ratio: ratio(rates.watched, rates.unwatched),
      goal: '-',
      note: `${rate('watched')} against ${rate('unwatched')}`,
    },
  ];
}

/**
 * Memory of a replica with many sockets, and how long it takes to answer, beside a replica without
 * any.
 */
async function measureSockets({ key, start }, { rounds, seconds, log }) {
  const [full, empty] = [await start(), await start()];
  // A service needs more memory once it is at work; that is not counted as the sockets'.
  for (const { url } of [full, empty]) await measureReads(url, key, 2);
  const before = await memoryOf(full.pid);
  const watchers = await openSockets({ url: full.url, key, count: SOCKETS });
  await pause(2_000);
  const each = ((await memoryOf(full.pid)) - before) / SOCKETS;
  const quotients = [];
  for (let round = 0; round <= rounds; round++) {
    const p99 = {};
    for (const [name, { url }] of Object.entries({ full, empty }))
      p99[name] = await measureReads(url, key, seconds);
    if (round > 0) quotients.push(p99.full / p99.empty);
    log(
      `  ${SOCKETS} sockets: p99 ${p99.full.toFixed(1)} ms, without any ${p99.empty.toFixed(1)} ms`,
    );
  }
  watchers.kill();
  await Promise.all([full.stop(), empty.stop()]);
  return [
    {
      id: 'P10',
      what: `memory of ${SOCKETS} open sockets that watch`,
      against: 'the same service without any',
      ratio: `${each.toFixed(1)} KiB each`,
      goal: 'at most 20 KiB',
    },
    {
      id: 'P10',
      what: `GET flow, p99, ${SOCKETS} open sockets`,
      against: 'without any',
      ratio: median(quotients),
      goal: 'at most 2',
    },
  ];
}

async function measureReads(url, key, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const began = performance.now();
  const times = [];
  for (let number = 0; number < READS_PER_SECOND * seconds; number++) {
    const due = began + (number * 1000) / READS_PER_SECOND;
    if (due > performance.now() + 1) await pause(due - performance.now());
    times.push(timeRead(agent, url + read.replace('USER', `user-${number % SOCKETS}`), key));
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  agent.destroy();
  return sorted[Math.floor(sorted.length * 0.99)];
}

function timeRead(agent, url, key) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - began));
    });
    sent.on('error', reject).end();
  });
}

async function openSockets({ url, key, count }) {
  const child = fork(fileURLToPath(new URL('./stand/sockets.mjs', import.meta.url)));
  process.once('exit', () => child.kill('SIGKILL'));
  child.send({
    url,
    key,
    flow: 'loop',
    users: Array.from({ length: count }, (_, index) => `user-${index}`),
  });
  await once(child, 'message');
  return child;
}
