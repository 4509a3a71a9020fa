// Runs Jest with ES modules. Arguments go to Jest: `node tools/test.mjs libs/domain -t S14` runs
// what is named, slow or not. `--quick` is what `npm test` runs; the specs with `.slow.` in their
// names are the rest: `--attacks` runs those that compare honest clients with and without an
// attacker, one at a time since they need the machine, and `--slow` the others. These parts, and
// with `--batches` what is named, run in batches, where Jest's options have the form
// `--name=value`.
import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { writeBatches } from './batches/write-batches.mjs';

/**
 * Which specs a part has; Jest's own list of ignored paths is repeated, since an argument replaces
 * it.
 */
const PARTS = {
  '--quick': [
    '--testPathIgnorePatterns=/node_modules/',
    String.raw`--testPathIgnorePatterns=\.slow\.(int-|e2e-)?spec\.ts$`,
  ],
  '--attacks': ['--testMatch=**/attacks.slow.e2e-spec.ts'],
  '--slow': [
    '--testMatch=**/*.slow.spec.ts',
    '--testMatch=**/*.slow.*-spec.ts',
    '--testPathIgnorePatterns=/node_modules/',
    String.raw`--testPathIgnorePatterns=/attacks\.slow\.e2e-spec\.ts$`,
  ],
};

const root = path.resolve(import.meta.dirname, '..');
const JEST = path.join(root, 'node_modules/jest/bin/jest.js');
const named = process.argv.slice(2).filter((argument) => argument !== '--batches');
const isInBatches =
  (process.argv.includes('--batches') || named.some((argument) => argument in PARTS)) &&
  !named.includes('--listTests');
const args = named.flatMap((argument) => PARTS[argument] ?? [argument]);

const jest = spawn(process.execPath, [JEST, ...(isInBatches ? await asBatches(args) : args)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS:
      `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code, signal) => process.exit(signal ? 1 : code));

/**
 * Writes the batches of the files that Jest would run, and answers the arguments that run those.
 */
async function asBatches(args) {
  const selecting = new Set(Object.values(PARTS).flat());
  const isOption = (argument) => argument.startsWith('-') && !selecting.has(argument);
  const list = [JEST, ...args.filter((argument) => !isOption(argument)), '--listTests', '--json'];
  const files = JSON.parse(execFileSync(process.execPath, list, { encoding: 'utf8' }));
  // Each process has its own folder, so that runs can go side by side.
  const folder = path.join(root, '.batches', String(process.pid));
  await writeBatches(
    folder,
    root,
    files.map((file) => path.relative(root, file)),
  );
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const batches = ['--config', 'tools/batches/jest.config.mjs', `--testMatch=${folder}/*.mjs`];
  return [...batches, ...args.filter(isOption)];
}
