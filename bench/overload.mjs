// P12: twice as many requests as a service can answer, offered at a fixed rate; what it still
// answers, against its peak.
import { createKey } from '@waymark/domain/access';
import { openServer } from './stand/database.mjs';
import { LOOP, openFlowService, transition } from './stand/flow-service.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 10_000;
const CONNECTIONS = 64;
const IDENTIFY = new URL('../dist/apps/users-api/main.js', import.meta.url);

export async function measure(settings) {
  const server = await openServer();
  try {
    const identify = await openIdentify(server);
    const transitions = await openTransitions(server);
    const failed = { identify: 0, transitions: 0 };
    const subjects = {
      ...peakAndFlood('identify', identify, failed),
      ...peakAndFlood('transitions', transitions, failed),
    };
    const rates = await interleave(subjects, settings);
    await Promise.all([identify, transitions].map(({ service }) => service.stop()));
    return [
      row('POST /identify', 'identify', rates, failed),
      row('POST transition', 'transitions', rates, failed),
    ];
  } finally {
    await server.close();
  }
}

/**
 * Measures the peak, then offers twice as much; counts requests that were neither answered nor
 * refused properly.
 */
function peakAndFlood(name, { service, load }, failed) {
  let peak;
  return {
    [name]: async (seconds) => {
      ({ rate: peak } = await offerLoad({
        url: service.url,
        connections: CONNECTIONS,
        seconds,
        ...load,
      }));
      return peak;
    },
    [`${name}Flooded`]: async (seconds) => {
      const { rate, refused } = await offerLoad({
        url: service.url,
        perSecond: 2 * peak,
        seconds,
        ...load,
      });
      failed[name] += refused;
      return rate;
    },
  };
}

const row = (what, name, rates, failed) => ({
  id: 'P12',
  what: `${what}, twice the peak offered: answered with 2xx`,
  against: 'its peak',
  ratio: ratio(rates[`${name}Flooded`], rates[name]),
  goal: 'at least 0.8',
  note: `${Math.round(median(rates[`${name}Flooded`]))}/s against ${Math.round(median(rates[name]))}/s; ${failed[name]} failed`,
});

async function openIdentify(server) {
  const { url, dataSource } = await server.create('bench_overload');
  const { key } = await createKey(
    dataSource,
    { environment: 'development', kind: 'users' },
    { by: 'bench' },
  );
  const service = await startServer(IDENTIFY, { DATABASE_URL: url, NODE_ENV: 'production' });
  const options = { users: USERS, key, path: '/identify' };
  return { service, load: { requests: new URL('./loads/identify.mjs', import.meta.url), options } };
}

async function openTransitions(server) {
  const { service, headers } = await openFlowService(server, 'overload', {
    users: USERS,
    flows: [LOOP],
  });
  const options = { ...transition, users: USERS, headers };
  return { service, load: { requests: new URL('./loads/flows.mjs', import.meta.url), options } };
}
