// P15: a plan over all users of a flow against the engine alone on the same states; the memory that
// it holds on its way; and reads that come meanwhile.
import { compile } from '@waymark/domain/engine';
import { userId } from '@waymark/domain/users';
import { largeFlow } from '@waymark/testing/sample-flows';
import { openServer } from './stand/database.mjs';
import { openFlowService, read } from './stand/flow-service.mjs';
import { runTask } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';
import { propertiesOf, walk } from './stand/walks.mjs';

/** A million takes some minutes to write: BENCH_USERS=1000000 npm run bench -- plan. */
const USERS = Number(process.env.BENCH_USERS ?? 100_000);
/** The most steps that a user took, in a flow of 23 blocks. */
const STEPS = 30;
const CHUNK = 10_000;
/** Users written at once, and requests sent to see whether anybody notices a plan. */
const READS_PER_SECOND = 50;
const PLANNER = new URL('./stand/planner.mjs', import.meta.url);

/** The last card is gone, and users who are in it start again. */
const [before, after] = [23, 22].map((blocks) => largeFlow(blocks, 'planned'));
/** The same, with a branch at the start. */
const asking = { ...after, start: ['is-admin-0'] };
const DEFINITIONS = { 'carry-over': after, 'restart-all': asking };

export async function measure(settings) {
  const server = await openServer();
  try {
    const stand = await openFlowService(server, 'plan', { users: USERS, flows: [before] });
    settings.log(`  ${await moveAll(stand)} different states of ${USERS} users`);
    const last = {};
    const subjects = Object.fromEntries(
      ['carry-over', 'restart-all'].flatMap((strategy) => [
        [strategy, run(stand, { strategy, isAlone: false }, last)],
        [`${strategy} alone`, run(stand, { strategy, isAlone: true }, last)],
      ]),
    );
    const rates = await interleave(subjects, settings);
    const reads = await compareReads(stand, settings);
    await stand.service.stop();
    return [
      row(rates, 'carry-over', `flow plan, ${USERS} states`),
      row(rates, 'restart-all', 'the same, where a condition is asked of everybody'),
      memoryRow(last['restart-all']),
      reads,
    ];
  } finally {
    await server.close();
  }
}

/** Every user goes their own way; returns how many different states there are. */
async function moveAll({ dataSource, environmentId }) {
  const flow = compile(before);
  await dataSource.query('TRUNCATE flow_states');
  const different = new Set();
  for (let from = 0; from < USERS; from += CHUNK) {
    const numbers = Array.from(
      { length: Math.min(CHUNK, USERS - from) },
      (_, index) => from + index,
    );
    const states = numbers.map((number) => JSON.stringify(walk(flow, number, STEPS)));
    for (const state of states) different.add(state);
    const ids = numbers.map((number) => userId(environmentId, `user-${number}`));
    await dataSource.query(
      `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
       SELECT u.id, $3, 1, 1, 1, u.state FROM unnest($1::uuid[], $2::jsonb[]) u (id, state)`,
      [ids, states, before.flow],
    );
    await dataSource.query(
      'UPDATE users SET properties = p.properties FROM unnest($1::uuid[], $2::jsonb[]) p (id, properties) WHERE user_id = p.id',
      [ids, numbers.map((number) => JSON.stringify(propertiesOf(number)))],
    );
  }
  await dataSource.query('VACUUM ANALYZE');
  return different.size;
}

/** States a second that a process of its own plans; `last` keeps what it reported last. */
const run =
  ({ url, environmentId }, { strategy, isAlone }, last) =>
  async () => {
    const task = {
      url,
      environmentId,
      flow: before.flow,
      definition: DEFINITIONS[strategy],
      strategy,
      isAlone,
    };
    const done = await runTask(PLANNER, task);
    if (!isAlone && done.users !== USERS)
      throw new Error(`${done.users} of ${USERS} users were planned`);
    if (!isAlone) last[strategy] = done;
    return done.users / done.seconds;
  };

const row = (rates, strategy, what) => ({
  id: 'P15',
  what,
  against: 'the engine alone',
  ratio: ratio(rates[strategy], rates[`${strategy} alone`]),
  goal: 0.3,
  note: `${Math.round(median(rates[strategy]))}/s against ${Math.round(median(rates[`${strategy} alone`]))}/s`,
});

const memoryRow = ({ early, late }) => ({
  id: 'P15',
  what: 'its memory at most, in the second half',
  against: 'the first half',
  ratio: late / early,
  goal: 'at most 1.25',
  note: `${Math.round(late)} MiB against ${Math.round(early)} MiB`,
});

/**
 * How long reads take that come in one after the other at a low rate, beside a plan and without.
 */
async function compareReads(stand, settings) {
  const quotients = [];
  const times = { beside: [], alone: [] };
  for (let round = 0; round <= settings.rounds; round++) {
    const alone = await timeReads(
      stand,
      new Promise((resolve) => setTimeout(resolve, settings.seconds * 1000)),
    );
    const beside = await timeReads(
      stand,
      run(stand, { strategy: 'restart-all', isAlone: false }, {})(),
    );
    if (round === 0) continue;
    times.alone.push(alone);
    times.beside.push(beside);
    quotients.push(beside / alone);
    settings.log(
      `  reads, ${READS_PER_SECOND}/s: ${beside.toFixed(1)} ms beside a plan, ${alone.toFixed(1)} ms without`,
    );
  }
  return {
    id: 'P15',
    what: `GET flow beside it, ${READS_PER_SECOND}/s: median time`,
    against: 'without a plan',
    ratio: median(quotients),
    goal: 'at most 2',
    note: `${median(times.beside).toFixed(1)} ms against ${median(times.alone).toFixed(1)} ms; none failed`,
  };
}

/** The median in milliseconds, until the work beside is done. */
async function timeReads({ service, headers }, work) {
  const times = [];
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  const asked = [];
  for (let turn = 0; !isOver; turn++) {
    asked.push(
      timeRead(service.url, headers, (turn * 7919) % USERS).then((time) => times.push(time)),
    );
    await new Promise((resolve) => setTimeout(resolve, 1000 / READS_PER_SECOND));
  }
  await Promise.all([done, ...asked]);
  return median(times);
}

async function timeRead(url, headers, user) {
  const { path } = read(before.flow);
  const since = performance.now();
  const answer = await fetch(`${url}${path.replace('USER', `user-${user}`)}`, { headers });
  await answer.text();
  if (answer.status !== 200) throw new Error(`a read was answered with ${answer.status}`);
  return performance.now() - since;
}
