// P11: start of a service to ready, and its memory when nothing happens, against an empty Nest
// service.
import { setTimeout as pause } from 'node:timers/promises';
import { openServer } from './stand/database.mjs';
import { memoryOf, startServer } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';

const EMPTY = new URL('./baselines/empty-nest.mjs', import.meta.url);
const service = (name) => new URL(`../dist/apps/${name}/main.js`, import.meta.url);
const SUBJECTS = {
  'users-api': service('users-api'),
  'blocks-api': service('blocks-api'),
  empty: EMPTY,
};

/** Long enough for what a start leaves behind to be collected. */
const IDLE_MS = 3_000;

export async function measure(settings) {
  const server = await openServer();
  try {
    const { url } = await server.create('bench_start');
    const memory = Object.fromEntries(Object.keys(SUBJECTS).map((name) => [name, []]));
    const start = (name) => async () => {
      const before = performance.now();
      const { pid, stop } = await startServer(SUBJECTS[name], {
        DATABASE_URL: url,
        NODE_ENV: 'production',
      });
      const took = performance.now() - before;
      await pause(IDLE_MS);
      memory[name].push(await memoryOf(pid));
      await stop();
      return took;
    };
    const subjects = Object.fromEntries(Object.keys(SUBJECTS).map((name) => [name, start(name)]));
    return report(await interleave(subjects, settings, 'ms'), memory);
  } finally {
    await server.close();
  }
}

function report(times, memory) {
  const row = (name, what, figures, unit) => ({
    id: 'P11',
    what: `${name}: ${what}`,
    against: 'an empty Nest service on Fastify',
    ratio: ratio(figures[name], figures.empty),
    goal: 'at most 1.6',
    note: `${Math.round(median(figures[name]))} ${unit} against ${Math.round(median(figures.empty))} ${unit}`,
  });
  const inMiB = Object.fromEntries(
    Object.entries(memory).map(([name, list]) => [name, list.map((kib) => kib / 1024)]),
  );
  return ['users-api', 'blocks-api'].flatMap((name) => [
    row(name, 'start to ready', times, 'ms'),
    row(name, 'memory idle', inMiB, 'MiB'),
  ]);
}
