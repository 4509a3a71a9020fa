// R12 as a run: plants each fault of faults.mjs in turn into a copy of the tree, runs the specs
// that should catch it, and prints which test did. Ends with 1 when one is caught by none.
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';
import { copyTree, removeTree, withFault } from './plant.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const USAGE = `npm run mutants [-- WORD ... --workers=N]
  WORD         only faults whose name holds one of the words
  --workers=N  test files that run side by side, as for Jest`;
const { words, workers } = readArguments();
const faults = FAULTS.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
if (faults.length === 0) {
  console.error(
    `no fault is named like that; there are\n${FAULTS.map(({ name }) => `  ${name}`).join('\n')}`,
  );
  process.exit(2);
}

const copy = await copyTree(root);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => void removeTree(copy).then(() => process.exit(1)));
const results = [];
try {
  build([]);
  const only = faults.every((fault) => fault.only)
    ? faults.map((fault) => fault.only).join('|')
    : undefined;
  const sound = await test({ tests: [...new Set(faults.flatMap(({ tests }) => tests))], only });
  if (sound.failed.length > 0)
    throw new Error(`these fail without any fault:\n  ${sound.failed.join('\n  ')}`);
  for (const fault of faults) {
    results.push({ fault, ...(await withFault(copy, fault, () => tryFault(fault))) });
    tell(results.at(-1));
  }
} finally {
  await removeTree(copy);
}
const survivors = results.filter(({ failed }) => failed.length === 0);
console.log(`\n${results.length - survivors.length} of ${results.length} faults caught`);
process.exitCode = survivors.length > 0 ? 1 : 0;

function readArguments() {
  try {
    const options = { help: { type: 'boolean' }, workers: { type: 'string' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (!values.help) return { words: positionals, workers: values.workers };
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

async function tryFault(fault) {
  if (fault.build) build(fault.build);
  const result = await test(fault);
  if (result.count === 0) throw new Error(`no test runs for "${fault.name}"`);
  return result;
}

/**
 * Output of the projects, all when none is named. What was built with a fault is built again with
 * the next one.
 */
function build(names) {
  const { status, stderr } = spawnSync(process.execPath, ['tools/build.mjs', ...names], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the copy cannot be built: ${stderr}`);
}

/** Titles of the tests that failed, and how many were run. */
async function test({ tests, only }) {
  const report = path.join(copy, 'report.json');
  await rm(report, { force: true });
  // A test that is given up may leave something behind that would keep Jest from ending.
  const options = [
    '--forceExit',
    // A planted fault can make a test hang: give up after a minute.
    '--testTimeout=60000',
    '--json',
    `--outputFile=${report}`,
    '--silent',
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...(only ? ['-t', only] : []),
  ];
  spawnSync(process.execPath, ['tools/test.mjs', ...tests, ...options], {
    cwd: copy,
    stdio: 'ignore',
  });
  const files = JSON.parse(await readFile(report, 'utf8')).testResults;
  const titles = (status) =>
    files.flatMap((file) =>
      file.assertionResults.filter((one) => one.status === status).map(titleOf(file)),
    );
  const broken = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  if (broken.length > 0)
    throw new Error(`${broken[0].name} does not run at all: ${broken[0].message}`);
  const failed = titles('failed');
  return { failed, count: failed.length + titles('passed').length };
}

function titleOf(file) {
  return (one) => `${path.relative(copy, file.name)}: ${one.title}`;
}

function tell({ fault, failed }) {
  console.log(
    failed.length > 0
      ? `caught    ${fault.name}\n          by ${failed[0]}`
      : `SURVIVED  ${fault.name}`,
  );
  if (failed.length > 1) console.log(`          and ${failed.length - 1} more`);
}
