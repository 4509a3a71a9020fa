// P16: one request for twenty flows against one for a single flow, one after the other, and the
// statements of each (P7). P19: one for twenty flows of one attention group against one for twenty
// without, all in progress, and all but one waiting.
import { setTimeout } from 'node:timers/promises';
import { applySharedFile, ATTENTION_FILE } from '@waymark/domain/flows';
import { largeFlow } from '@waymark/testing/sample-flows';
import { countStatements, openServer } from './stand/database.mjs';
import { openFlowService, read } from './stand/flow-service.mjs';
import { offerLoad } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 1_000;
const WARM_UP_SECONDS = 8;
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

const twenty = (kind) => Array.from({ length: 20 }, (_, number) => `${kind}-${number}`);
const read20 = (kind) => ({
  method: 'GET',
  path: `/v2/flows?userIdentifier=USER&include=block&${twenty(kind)
    .map((name) => `flow=${name}@1`)
    .join('&')}`,
});
const readList = read20('small');
const plain = twenty('small').map((name) => largeFlow(1, name));
const inGroup = (group) =>
  twenty(group).map((name) => ({ ...largeFlow(1, name), format: 2, attention: { group } }));

export async function measure(settings) {
  const server = await openServer();
  try {
    const flows = [...plain, ...inGroup('running'), ...inGroup('waiting')];
    const stand = await openFlowService(server, 'list', { users: USERS, flows });
    await letWait(stand);
    const subjects = {
      list: offer(stand, readList),
      single: offer(stand, read('small-0')),
      running: offer(stand, read20('running')),
      waiting: offer(stand, read20('waiting')),
    };
    const rates = await interleave(subjects, settings);
    const counts = await count(stand);
    await stand.service.stop();
    const note = `${Math.round(median(rates.list))}/s against ${Math.round(median(rates.single))}/s`;
    const times = {
      id: 'P16',
      what: 'time of GET flows, 20 flows',
      against: 'one GET flow',
      goal: '≤ 2',
    };
    const inTurns = ['running', 'waiting'].map((kind) => ({
      id: 'P19',
      what: `time of GET flows, 20 flows of a group, ${kind === 'running' ? 'all in progress' : 'all but one waiting'}`,
      against: 'without a group',
      goal: '≤ 1.2',
      ratio: ratio(rates.list, rates[kind]),
      note: `${Math.round(median(rates[kind]))}/s against ${Math.round(median(rates.list))}/s`,
    }));
    return [{ ...times, ratio: ratio(rates.single, rates.list), note }, ...inTurns, counts];
  } finally {
    await server.close();
  }
}

/** Of one group one flow of each user is in progress, and the others wait for it. */
async function letWait({ dataSource, service, headers }) {
  for (const table of ['flow_states', 'flow_events', 'attention_states'])
    await dataSource.query(
      `DELETE FROM ${table} WHERE ${table === 'attention_states' ? '"group"' : 'flow'} LIKE 'waiting%'`,
    );
  const groups = new Map([
    ['running', { atOnce: 1 }],
    ['waiting', { atOnce: 1 }],
  ]);
  await applySharedFile(dataSource, ATTENTION_FILE, groups, { by: 'bench' });
  // The service knows them within a second.
  await setTimeout(2_000);
  for (let user = 0; user < USERS; user++) {
    const path = read20('waiting').path.replace('USER', `user-${user}`);
    const answer = await fetch(`${service.url}${path}`, { headers });
    const { flows } = await answer.json();
    if (flows.filter(({ waits }) => waits).length !== 19) throw new Error('not 19 of 20 wait');
  }
  await dataSource.query('VACUUM ANALYZE');
  // Each connection plans anew until what it planned for empty tables weighs little in its average.
  for (const kind of ['running', 'waiting'])
    await offerOne({ service, headers }, read20(kind), WARM_UP_SECONDS);
}

/** Requests a second, one after the other. */
const offer = (stand, request) => async (seconds) => (await offerOne(stand, request, seconds)).rate;

async function offerOne({ service, headers }, request, seconds) {
  const options = { ...request, users: USERS, headers };
  const result = await offerLoad({
    url: service.url,
    connections: 1,
    seconds,
    requests: LOAD,
    options,
  });
  if (result.refused + result.shed > 0)
    throw new Error(`${result.refused + result.shed} requests were refused`);
  return result;
}

async function count(stand) {
  let requests = 0;
  const isOfRequests = (query) =>
    !/pg_notify|claimed AS|load_watched|FROM flows f JOIN/.test(query);
  const work = async () => {
    requests = (await offerOne(stand, readList, 2)).answered;
  };
  const { statements, commits } = await countStatements(stand.dataSource, work, isOfRequests);
  const found = `${(statements / requests).toFixed(2)} and ${(commits / requests).toFixed(2)}`;
  return {
    id: 'P7',
    what: 'statements and commits, GET flows',
    against: 'a request',
    ratio: found,
    goal: '1 and 0',
  };
}
