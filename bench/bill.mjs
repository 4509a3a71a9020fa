// Where the time of a transition and of a read goes in Node: a profile of blocks-api under load,
// summed up by part of the code. BENCH_AGAINST profiles another build instead.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { largeFlow } from '@waymark/testing/sample-flows';
import { openServer } from './stand/database.mjs';
import { LOOP, openFlowService, read, transition } from './stand/flow-service.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { offerLoad, startServer } from './stand/processes.mjs';
import { timeOf } from './stand/processor-time.mjs';

const USERS = 10_000;
const CONNECTIONS = 64;
const LOAD = new URL('./loads/flows.mjs', import.meta.url);
const CALLS = { 'POST transition': transition, 'GET flow, 20 blocks': read('twenty') };
/** Parts that take less are summed up as the rest. */
const SMALLEST = 0.01;

/** What a file belongs to, by its path; the first that matches. */
const PARTS = [
  [/libs\/domain\/src\/([\w-]+)\/([\w-]+)/, ([, room, inner]) => `domain: ${room}/${inner}`],
  [/libs\/service-kit\/src\/([\w-]+)/, ([, room]) => `service-kit: ${room}`],
  [/apps\/blocks-api\/src\/([\w-]+)/, ([, room]) => `blocks-api: ${room}`],
  [/node_modules\/((?:@[\w-]+\/)?[\w.-]+)/, ([, name]) => name],
  [/^node:(_http|internal\/http|_stream|net|internal\/stream)/, () => 'Node: HTTP and sockets'],
  [/^node:(events|internal\/streams|_stream)/, () => 'Node: HTTP and sockets'],
  [/^node:/, () => 'Node: the rest'],
];

export async function measure({ seconds, log }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-profile-'));
  const root = process.env.BENCH_AGAINST
    ? pathToFileURL(`${path.resolve(process.env.BENCH_AGAINST)}/`)
    : new URL('../', import.meta.url);
  const main = new URL('dist/apps/blocks-api/main.js', root);
  const server = await openServer({ autovacuum: 'off' });
  try {
    const flows = [largeFlow(20, 'twenty'), LOOP];
    const stand = await openFlowService(server, 'bill', { users: USERS, flows });
    await stand.service.stop();
    const rows = [];
    for (const [what, request] of Object.entries(CALLS)) {
      const { profile, micros, began, ended } = await record(main, stand, request, folder, seconds);
      log(`  ${what}: ${Math.round(micros)} µs`);
      const maps = new SourceMap(JSON.parse(await readFile(new URL('main.js.map', main), 'utf8')));
      rows.push(...billOf(what, shares(profile, maps, began, ended), micros));
    }
    return rows;
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

/**
 * The profile of a service under load, the processor time of a request, and between which times the
 * load was offered.
 */
async function record(main, { url, headers }, request, folder, seconds) {
  const profiling = ['--cpu-prof', '--cpu-prof-name=it', `--cpu-prof-dir=${folder}`];
  const service = await startServer(
    main,
    { DATABASE_URL: url, NODE_ENV: 'production', ...PATIENT },
    [...profiling, '--cpu-prof-interval=250'],
  );
  const options = { ...request, users: USERS, headers };
  const offer = (time) =>
    offerLoad({
      url: service.url,
      connections: CONNECTIONS,
      seconds: time,
      requests: LOAD,
      options,
    });
  await offer(2);
  const [before, began] = [await timeOf(service.pid), now()];
  const { answered } = await offer(seconds);
  const [after, ended] = [await timeOf(service.pid), now()];
  await service.stop();
  const profile = JSON.parse(await readFile(path.join(folder, 'it'), 'utf8'));
  return { profile, micros: (after - before) / answered, began, ended };
}

/** Microseconds of the clock that profiles are written by. */
const now = () => Number(process.hrtime.bigint() / 1_000n);

/** Which share of the working time each part has taken. */
function shares({ nodes, samples, timeDeltas, startTime }, maps, began, ended) {
  const parts = partsOf(nodes, maps);
  const taken = new Map();
  let clock = startTime;
  let all = 0;
  samples.forEach((id, index) => {
    clock += timeDeltas[index];
    const part = parts.get(id);
    if (clock < began || clock > ended || part === '(idle)') return;
    all += timeDeltas[index];
    taken.set(part, (taken.get(part) ?? 0) + timeDeltas[index]);
  });
  return [...taken].map(([part, time]) => [part, time / all]);
}

/** The part of each node; what is built in belongs to whatever called it. */
function partsOf(nodes, maps) {
  const parts = new Map();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  for (const { id, callFrame } of nodes) {
    const { url, functionName, lineNumber, columnNumber } = callFrame;
    const isRoot = /^\((idle|program|garbage collector|root)\)$/.test(functionName);
    const file = url.endsWith('/main.js')
      ? (maps.findEntry(lineNumber, columnNumber).originalSource ?? url)
      : url;
    const found = PARTS.find(([pattern]) => pattern.test(file));
    const own = found && found[1](found[0].exec(file));
    parts.set(id, isRoot ? functionName : (own ?? parts.get(parents.get(id)) ?? functionName));
  }
  return parts;
}

function billOf(what, taken, micros) {
  const rows = taken
    .filter(([, share]) => share >= SMALLEST)
    .sort((one, other) => other[1] - one[1]);
  const rest = 1 - rows.reduce((sum, [, share]) => sum + share, 0);
  return [...rows, ['the rest', rest]].map(([part, share]) => ({
    id: 'P18',
    what,
    against: part,
    ratio: `${(share * micros).toFixed(1)} µs`,
    goal: '–',
    note: `${(100 * share).toFixed(1)} %`,
  }));
}
