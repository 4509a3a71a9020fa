// P16: one request for twenty flows against one for a single flow, one after the other, and the statements of each (P7).
import { largeFlow } from '@waymark/testing/sample-flows';
import { countStatements, openServer } from './stand/database.mjs';
import { openFlowService, read } from './stand/flow-service.mjs';
import { offerLoad } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 1_000;
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

const names = Array.from({ length: 20 }, (_, number) => `small-${number}`);
const readList = {
  method: 'GET',
  path: `/v2/flows?userIdentifier=USER&include=block&${names.map((name) => `flow=${name}@1`).join('&')}`,
};

export async function measure(settings) {
  const server = await openServer();
  try {
    const flows = names.map((name) => largeFlow(1, name));
    const stand = await openFlowService(server, 'list', { users: USERS, flows });
    const subjects = { list: offer(stand, readList), single: offer(stand, read('small-0')) };
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
    return [{ ...times, ratio: ratio(rates.single, rates.list), note }, counts];
  } finally {
    await server.close();
  }
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
