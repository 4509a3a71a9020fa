// P13: transitions while an endpoint follows, against transitions that nobody follows; and how fast a backlog is delivered
// to a receiver on the same machine.
import { addEndpoint, listEndpoints, replayEndpoint } from '@waymark/domain/event-log';
import { openServer } from './stand/database.mjs';
import { LOOP, openFlowService, transition } from './stand/flow-service.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 5_000;
const CONNECTIONS = 64;
const BY = { by: 'bench' };
/** A busy machine is no overload here. */
const PATIENT = {
  DATABASE_CONNECT_TIMEOUT_MS: '20000',
  DATABASE_ANSWER_TIMEOUT_MS: '20000',
  STATEMENT_TIMEOUT_MS: '20000',
  REQUEST_TIMEOUT_MS: '20000',
  WEBHOOK_PRIVATE_ADDRESSES: 'on',
  LOG_LEVEL: 'warn',
};
const RECEIVER = new URL('./baselines/receiver.mjs', import.meta.url);
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

export async function measure(settings) {
  const server = await openServer();
  try {
    const receiver = await startServer(RECEIVER, {});
    const open = (name) =>
      openFlowService(server, name, { users: USERS, flows: [LOOP], settings: { ...PATIENT, LOG_LEVEL: 'info' } });
    const alone = await open('alone');
    const followed = await open('followed');
    const wanted = { name: 'standard', url: receiver.url };
    await addEndpoint(followed.dataSource, followed.environmentId, wanted, BY);
    const rates = await interleave({ followed: load(followed), alone: load(alone) }, settings);
    const oneByOne = await drain(followed, 'standard');
    await addEndpoint(followed.dataSource, followed.environmentId, { ...wanted, name: 'segment', format: 'segment' }, BY);
    const batched = await drain(followed, 'segment');
    await Promise.all([alone, followed].map(({ service }) => service.stop()));
    await receiver.stop();
    return [
      {
        id: 'P13',
        what: 'POST transition, one endpoint following',
        against: 'the same, none',
        ratio: ratio(rates.followed, rates.alone),
        goal: 0.9,
        note: `${Math.round(median(rates.followed))}/s against ${Math.round(median(rates.alone))}/s`,
      },
      { id: 'P13', what: 'events delivered one by one', against: 'a second', ratio: `${oneByOne}`, goal: 1_000 },
      { id: 'P13', what: 'events delivered in batches', against: 'a second', ratio: `${batched}`, goal: 5_000 },
    ];
  } finally {
    await server.close();
  }
}

const load =
  ({ service, users, headers }) =>
  async (seconds) => {
    const options = { ...transition, users, headers };
    return (await offerLoad({ url: service.url, connections: CONNECTIONS, seconds, requests: LOAD, options })).rate;
  };

/** Events a second while the whole log is delivered again; each transition of the flow is two. */
async function drain({ dataSource, environmentId }, name) {
  const backlog = async () => (await listEndpoints(dataSource.manager, environmentId)).find((row) => row.name === name).backlog;
  while ((await backlog()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  // So many as a backlog counts at most.
  await dataSource.query(
    `DELETE FROM flow_events WHERE (user_id, flow, version, revision) NOT IN (
       SELECT user_id, flow, version, revision FROM flow_events ORDER BY place LIMIT 9000)`,
  );
  await replayEndpoint(dataSource, environmentId, name, 'beginning', BY);
  const steps = await backlog();
  const since = performance.now();
  while ((await backlog()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  return Math.round((2 * steps * 1000) / (performance.now() - since));
}
