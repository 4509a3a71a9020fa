// P13: transitions while an endpoint follows, against transitions that nobody follows; and how fast
// a backlog is delivered to a receiver on the same machine, as the receiver sees it.
import { addEndpoint, removeEndpoint } from '@waymark/domain/outbound';
import { openServer } from './stand/database.mjs';
import { LOOP, openFlowService, transition } from './stand/flow-service.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 5_000;
const CONNECTIONS = 64;
/** Steps that are delivered again; each has two events. */
const STEPS = 10_000;
const BY = { by: 'bench' };
const SETTINGS = {
  ...PATIENT,
  WEBHOOK_PRIVATE_ADDRESSES: 'on',
  LOG_LEVEL: 'warn',
};
const RECEIVER = new URL('./baselines/receiver.mjs', import.meta.url);
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

export async function measure(settings) {
  const server = await openServer();
  try {
    const open = (name) =>
      openFlowService(server, name, {
        users: USERS,
        flows: [LOOP],
        settings: { ...SETTINGS, LOG_LEVEL: 'info' },
      });
    const alone = await open('alone');
    const followed = await open('followed');
    const receiver = await startServer(RECEIVER, {});
    await follow(followed, { name: 'live', url: receiver.url });
    const rates = await interleave({ followed: load(followed), alone: load(alone) }, settings);
    await unfollow(followed, 'live');
    await receiver.stop();
    await keep(followed.dataSource);
    const oneByOne = await drain(followed, 'standard', settings);
    const batched = await drain(followed, 'segment', settings);
    await Promise.all([alone, followed].map(({ service }) => service.stop()));
    return [
      {
        id: 'P13',
        what: 'POST transition, one endpoint following',
        against: 'the same, none',
        ratio: ratio(rates.followed, rates.alone),
        goal: 0.9,
        note: `${Math.round(median(rates.followed))}/s against ${Math.round(median(rates.alone))}/s`,
      },
      {
        id: 'P13',
        what: 'events delivered one by one',
        against: 'a second',
        ratio: `${oneByOne}`,
        goal: 1_000,
      },
      {
        id: 'P13',
        what: 'events delivered in batches',
        against: 'a second',
        ratio: `${batched}`,
        goal: 5_000,
      },
    ];
  } finally {
    await server.close();
  }
}

const follow = ({ dataSource, environmentId }, wanted) =>
  addEndpoint(dataSource, environmentId, wanted, BY);
const unfollow = ({ dataSource, environmentId }, name) =>
  removeEndpoint(dataSource, environmentId, name, BY);

const load =
  ({ service, users, headers }) =>
  async (seconds) => {
    const options = { ...transition, users, headers };
    return (
      await offerLoad({
        url: service.url,
        connections: CONNECTIONS,
        seconds,
        requests: LOAD,
        options,
      })
    ).rate;
  };

/** Keeps the first steps alone and vacuums, so that the log looks like one that was pruned. */
async function keep(dataSource) {
  await dataSource.query(
    `DELETE FROM flow_events e USING (SELECT place FROM flow_events ORDER BY place OFFSET ${STEPS} LIMIT 1) l WHERE e.place >= l.place`,
  );
  await dataSource.query('VACUUM ANALYZE');
}

/**
 * Events a second while the whole log is delivered to an endpoint that begins at the beginning; the
 * median of the rounds.
 */
async function drain(subject, format, { rounds, log }) {
  const [{ steps }] = await subject.dataSource.query(
    'SELECT count(*)::int AS steps FROM flow_events',
  );
  const rates = [];
  for (let round = 0; round < rounds; round++) {
    const receiver = await startServer(RECEIVER, {});
    await follow(subject, { name: format, url: receiver.url, format, from: 'beginning' });
    const { events, seconds } = await allReceived(receiver, 2 * steps);
    await unfollow(subject, format);
    await receiver.stop();
    rates.push(events / seconds);
  }
  log(`  ${format}: ${rates.map(Math.round).join(', ')} events a second`);
  return Math.round(median(rates));
}

async function allReceived({ url }, wanted) {
  for (;;) {
    const told = await (await fetch(url)).json();
    if (told.events >= wanted) return told;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
