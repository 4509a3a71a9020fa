// P5, P6, P7 and P9: reads of a flow and transitions, against the least that could be written, and
// against themselves with more users, flows and blocks.
import { largeFlow } from '@waymark/testing/sample-flows';
import { countStatements, openServer } from './stand/database.mjs';
import {
  commit,
  get,
  LOOP,
  openFlowService,
  read,
  readPlain,
  transition,
} from './stand/flow-service.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const USERS = 10_000;
/** More take some minutes and GiB to write: BENCH_USERS=10000000 npm run bench -- flows. */
const MANY_USERS = Number(process.env.BENCH_USERS ?? 100_000);
const MANY_FLOWS = 300;
const CONNECTIONS = 64;
const POOL_SIZE = '10';

/** What browsers of people in ten languages send (X6). */
const BROWSERS = [
  'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'fr,fr-FR;q=0.8,en-US;q=0.5,en;q=0.3',
  'es-ES,es;q=0.9',
  'it-IT',
  'nl-NL,nl;q=0.9,en;q=0.8',
  'pt-PT,pt;q=0.8,en;q=0.5',
  'ja',
  'ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7',
  'zh-TW,zh;q=0.9,en;q=0.8',
  'sv-SE,sv;q=0.8,en-US;q=0.5,en;q=0.3',
].map((list) => ({ 'accept-language': list }));
const TAGS = ['de', 'fr', 'es', 'it', 'nl', 'pt-BR', 'ja', 'ko', 'zh-Hant', 'sv'];
const inLanguages = (flow) => ({
  ...flow,
  language: 'en',
  languages: TAGS.map((language) => ({
    language,
    blocks: flow.blocks.map(({ id, fields = [] }) => ({
      id,
      fields: fields.filter(({ type }) => type === 'string'),
    })),
  })),
});

const BARE = new URL('./baselines/bare-flows.mjs', import.meta.url);
const LOAD = new URL('./loads/flows.mjs', import.meta.url);

export const bareTransition = {
  method: 'POST',
  path: '/v2/block/loop/transition?userIdentifier=USER',
};

export async function measure(settings) {
  const server = await openServer();
  try {
    const few = await openFlowService(server, 'few', {
      users: USERS,
      flows: [largeFlow(20, 'twenty'), inLanguages(largeFlow(20, 'spoken')), LOOP],
      settings: PATIENT,
    });
    const many = await openFlowService(server, 'many', {
      users: MANY_USERS,
      flows: [largeFlow(10, 'ten'), largeFlow(20, 'twenty'), largeFlow(1_000, 'thousand'), LOOP],
      settings: PATIENT,
    });
    // Users beyond these have started two flows only.
    const first = { ...many, users: USERS };
    await fillCatalogue(many);
    const bare = await openBare(few);
    const rates = await interleave(
      {
        read: load(few, read('twenty')),
        bareRead: load(bare, read('twenty')),
        readSpoken: load(few, { ...read('spoken'), each: BROWSERS }),
        transition: load(few, transition),
        bareTransition: load(bare, bareTransition),
        readOfMany: load(many, read('twenty')),
        transitionOfMany: load(many, transition),
        readTen: load(first, readPlain('ten')),
        readThousand: load(first, readPlain('thousand')),
      },
      settings,
    );
    const counts = await countAll(few);
    await Promise.all([few, many, bare].map(({ service }) => service.stop()));
    return report(rates, counts);
  } finally {
    await server.close();
  }
}

function report(rates, counts) {
  const row = (id, what, of, against, goal, baseline) => ({
    id,
    what,
    against: baseline,
    goal,
    ratio: ratio(rates[of], rates[against]),
    note: `${Math.round(median(rates[of]))}/s against ${Math.round(median(rates[against]))}/s`,
  });
  const bare = 'bare Fastify + pg';
  return [
    row('P5', 'GET flow, 20 blocks', 'read', 'bareRead', 0.8, `${bare}, one prepared read`),
    row(
      'P5',
      'the same in ten languages, headers of ten browsers',
      'readSpoken',
      'bareRead',
      0.8,
      `${bare}, one prepared read`,
    ),
    row('P6', 'POST transition', 'transition', 'bareTransition', 1, `${bare}, five statements`),
    ...counts,
    row(
      'P9',
      `GET flow, ${MANY_USERS} users, ${MANY_FLOWS} flows`,
      'readOfMany',
      'read',
      0.8,
      `the same, ${USERS} users`,
    ),
    row(
      'P9',
      `POST transition, ${MANY_USERS} users`,
      'transitionOfMany',
      'transition',
      0.8,
      `the same, ${USERS} users`,
    ),
    row(
      'P9',
      'GET flow of 1,000 blocks, without them',
      'readThousand',
      'readTen',
      0.8,
      'the same, 10 blocks',
    ),
  ];
}

async function fillCatalogue({ dataSource }) {
  for (let number = 0; number < MANY_FLOWS; number++)
    await commit(dataSource, largeFlow(10, `filler-${number}`));
}

export async function openBare(few) {
  const { url, environmentId } = few;
  const settings = {
    DATABASE_URL: url,
    ENVIRONMENT_ID: environmentId,
    POOL_SIZE,
    NODE_ENV: 'production',
  };
  const service = await startServer(BARE, settings);
  const headers = { 'content-type': 'application/json' };
  await fetch(`${service.url}/bytes`, { method: 'PUT', headers, body: await get(few, 'twenty') });
  return { service, users: few.users };
}

const load =
  ({ service, users, headers }, request) =>
  async (seconds) => {
    const options = { ...request, users, headers };
    const result = await offerLoad({
      url: service.url,
      connections: CONNECTIONS,
      seconds,
      requests: LOAD,
      options,
    });
    if (result.refused + result.shed > 0)
      throw new Error(`${result.refused + result.shed} requests of ${request.path} were refused`);
    return result.rate;
  };

/**
 * Statements and commits of a read and of a transition (P7); what replicas tell each other is sent
 * for many at once.
 */
async function countAll(subject) {
  const count = async (what, request, connections, goal) => {
    let requests = 0;
    const isOfRequests = (query) =>
      !/pg_notify|claimed AS|load_watched|FROM flows f JOIN|endpoint_progress/.test(query);
    const { statements, commits } = await countStatements(
      subject.dataSource,
      async () => {
        const options = { ...request, users: USERS, headers: subject.headers };
        const result = await offerLoad({
          url: subject.service.url,
          connections,
          seconds: 2,
          requests: LOAD,
          options,
        });
        requests = result.answered;
      },
      isOfRequests,
    );
    const ratio = `${(statements / requests).toFixed(2)} and ${(commits / requests).toFixed(2)}`;
    return { id: 'P7', what: `statements and commits, ${what}`, against: 'a request', ratio, goal };
  };
  return [
    await count('one GET flow after the other', read('twenty'), 1, '1 and 0'),
    await count(`the same, ${CONNECTIONS} at once`, read('twenty'), CONNECTIONS, '≤ 1 and 0'),
    await count('one POST transition after the other', transition, 1, '2 and 1'),
    await count(`the same, ${CONNECTIONS} at once`, transition, CONNECTIONS, '≤ 2 and 1'),
  ];
}
