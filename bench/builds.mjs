// This build against another one, such as the last release: what a change costs. Each has a
// database of its own, with the schema of this build, as during a rolling update. BENCH_AGAINST
// names the folder of the other one, which has to be built.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createKey } from '@waymark/domain/access';
import { largeFlow } from '@waymark/testing/sample-flows';
import { openServer } from './stand/database.mjs';
import { LOOP, openFlowService, read, transition } from './stand/flow-service.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 100_000;
const CONNECTIONS = 64;
const BATCH = 100;

const OF_FLOWS = new URL('./loads/flows.mjs', import.meta.url);
const OF_IDENTIFY = new URL('./loads/identify.mjs', import.meta.url);

export async function measure(settings) {
  const other = process.env.BENCH_AGAINST;
  if (!other) {
    settings.log('  left out: BENCH_AGAINST has to be the folder of a checkout that was built');
    return [];
  }
  const server = await openServer();
  try {
    const builds = {
      this: await openBuild(server, 'this', new URL('../', import.meta.url)),
      other: await openBuild(server, 'other', pathToFileURL(`${path.resolve(other)}/`)),
    };
    const rates = await interleave(pairs(builds), { ...settings, thereAndBack: true });
    await Promise.all(Object.values(builds).map(({ stop }) => stop()));
    return Object.keys(builds.this.loads).map((what) => row(what, rates));
  } finally {
    await server.close();
  }
}

/** The loads of both builds in turn, so that what is compared is measured close together. */
const pairs = (builds) =>
  Object.fromEntries(
    Object.keys(builds.this.loads).flatMap((what) =>
      Object.entries(builds).map(([name, { loads }]) => [
        `${what}, ${name}`,
        async (seconds) => (await loads[what].offer(seconds)).rate,
      ]),
    ),
  );

/**
 * Both services of a build on a database of their own; `loads` says of each request which process
 * takes it.
 */
export async function openBuild(server, name, folder) {
  const flows = await openFlowService(server, name, {
    users: USERS,
    flows: [largeFlow(20, 'twenty'), LOOP],
    settings: PATIENT,
    service: new URL('dist/apps/blocks-api/main.js', folder),
  });
  const { key } = await createKey(
    flows.dataSource,
    { environment: 'development', kind: 'users' },
    { by: 'bench' },
  );
  const main = new URL('dist/apps/users-api/main.js', folder);
  const users = await startServer(main, {
    DATABASE_URL: flows.url,
    NODE_ENV: 'production',
    ...PATIENT,
  });
  const ofFlows = (request) =>
    loadOf(flows.service, OF_FLOWS, { ...request, users: USERS, headers: flows.headers });
  const identify = (options) => loadOf(users, OF_IDENTIFY, { ...options, users: USERS, key });
  return {
    ...flows,
    loads: {
      'POST /identify': identify({ path: '/identify' }),
      [`POST /identify/batch of ${BATCH}`]: identify({ path: '/identify/batch', batch: BATCH }),
      'GET flow, 20 blocks': ofFlows(read('twenty')),
      'POST transition': ofFlows(transition),
    },
    stop: () => Promise.all([flows.service.stop(), users.stop()]),
  };
}

/**
 * What is offered to a service: `offer(seconds)` answers as `offerLoad` does, and throws if
 * anything was refused.
 */
export const loadOf = ({ url, pid }, requests, options) => ({
  pid,
  offer: async (seconds) => {
    const result = await offerLoad({ url, connections: CONNECTIONS, seconds, requests, options });
    const refused = result.refused + result.shed;
    if (refused > 0) throw new Error(`${refused} requests of ${options.path} were refused`);
    return result;
  },
});

const row = (what, rates) => {
  const [mine, others] = [rates[`${what}, this`], rates[`${what}, other`]];
  const note = `${Math.round(median(mine))}/s against ${Math.round(median(others))}/s`;
  return {
    id: 'P1–P6',
    what,
    against: 'the other build',
    ratio: ratio(mine, others),
    goal: '≥ 0.97',
    note,
  };
};
