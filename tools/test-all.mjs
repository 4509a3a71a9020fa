// Every part of the tests: what `npm test` runs, then the slow specs, then the attacks, which wait
// half of the time, beside specs with a database again on the oldest PostgreSQL that is supported:
// on its own tables, and on tables that Citus is said to have distributed.
// Usage: npm run test:all
// The last line is `N passed, N failed`, with the skipped ones where there are any.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Statements of tables on one server; the rehearsal of Citus, which runs on the same release, has
 * the others.
 */
const ON_OLDEST = [
  String.raw`libs/domain/src/(database|events|outbound/(delivery|list|partitioned)|schema|states/announce).*(?<!\.slow)\.int-spec\.ts$`,
  String.raw`libs/domain/src/states/command/(attention-lists|plain-flows|run-command)\.`,
  'libs/domain/src/users/track.int-spec',
  'apps/waymark/e2e/every-path',
  'apps/waymark/e2e/main-job',
];
const REHEARSAL = ['tools/citus.mjs', '--rehearse', '--short', '--maxWorkers=1'];
const OLDEST = ['tools/with-postgres.mjs', '14', 'node'];
/** On another server each statement has to work once; cases in number run on the newest release. */
const FEW_CASES = { WAYMARK_TEST_CASES: 'few' };

const PARTS = {
  quick: { name: 'npm test', command: ['tools/test.mjs', '--quick'] },
  slow: { name: 'slow specs', command: ['tools/test.mjs', '--slow'] },
  attacks: { name: 'attacks', command: ['tools/test.mjs', '--attacks', '--maxWorkers=1'] },
  oldest: {
    name: 'PostgreSQL 14',
    command: [...OLDEST, 'tools/test.mjs', '--batches', '--maxWorkers=1', ...ON_OLDEST],
    env: FEW_CASES,
  },
  rehearsal: {
    name: 'rehearsal of Citus',
    command: [...OLDEST, ...REHEARSAL],
    /** Where that release cannot be had. */
    otherwise: REHEARSAL,
    env: FEW_CASES,
  },
};
/** These run beside the attacks, with lower priority. */
const BEHIND = [PARTS.oldest, PARTS.rehearsal];
const NICE = 10;
/** One step after the other; in a step lanes side by side, in a lane parts one after the other. */
const STEPS = [[[PARTS.quick]], [[PARTS.slow]], [[PARTS.attacks], BEHIND]];
/** A part that takes longer than this hangs: it is killed and counts as failed. */
const PART_MS = 35 * 60_000;
/** How `with-postgres.mjs` ends where npm cannot bring that release. */
const CANNOT_BE_HAD = 3;

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) process.kill(-child.pid, 'SIGKILL');
    process.exit(1);
  });

const reports = await mkdtemp(path.join(tmpdir(), 'waymark-reports-'));
const results = [];
for (const lanes of STEPS) results.push(...(await Promise.all(lanes.map(runLane))).flat());
await rm(reports, { recursive: true, force: true });
printResults();

async function runLane(parts) {
  const done = [];
  for (const part of parts) done.push(await runPart(part));
  return done;
}

async function runPart(part) {
  const result = await runCommand(part, part.command);
  const isAbsent = result.code === CANNOT_BE_HAD && part.otherwise !== undefined;
  return isAbsent ? runCommand(part, part.otherwise) : result;
}

async function runCommand(part, command) {
  const { name, env } = part;
  console.log(`\n== ${name}`);
  const file = path.join(reports, `${name}.json`);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...command, '--json', `--outputFile=${file}`], {
    stdio: ['inherit', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
    // In its own process group, so that everything it started can be killed.
    detached: true,
  });
  running.add(child);
  if (BEHIND.includes(part)) setPriority(child.pid, NICE);
  const hangs = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), PART_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(hangs);
  running.delete(child);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const report = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  return { name, code, seconds, report };
}

function printResults() {
  console.log();
  for (const { name, code, seconds, report } of results)
    console.log(
      `${name}: ${seconds} s${report ? '' : code === CANNOT_BE_HAD ? ', skipped' : ', ended without a report'}`,
    );
  const sum = (count) =>
    results.reduce((total, { report }) => total + (report ? count(report) : 0), 0);
  const broken = results.filter(
    ({ code, report }) => code !== 0 && !(code === CANNOT_BE_HAD && !report),
  );
  const failed = Math.max(
    sum((report) => Math.max(report.numFailedTests, report.numFailedTestSuites)),
    broken.length,
  );
  const skipped = sum(({ numPendingTests }) => numPendingTests) + missedTests();
  console.log(
    `${sum(({ numPassedTests }) => numPassedTests)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
}

/**
 * A run that did not take place counts as skipped, with all its tests. The outermost title of a
 * test is the path of its file.
 */
function missedTests() {
  const hasOldest = results.some(({ name, report }) => name === 'PostgreSQL 14' && report);
  if (hasOldest) return 0;
  const isOnOldest = ({ ancestorTitles: [file] }) =>
    ON_OLDEST.some((place) => new RegExp(place).test(file));
  return results
    .slice(0, 3)
    .flatMap(({ report }) => report?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(isOnOldest).length;
}
