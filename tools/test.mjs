// Runs Jest with ES modules. Arguments go to Jest: `node tools/test.mjs libs/domain -t S14` runs what is named, slow or not.
// `--quick` is what `npm test` runs; the specs with `.slow.` in their names are the rest: `--attacks` runs those that compare
// honest clients with and without an attacker, one at a time since they need the machine, and `--slow` the others.
import { spawn } from 'node:child_process';

/** Which specs a part has; Jest's own list of ignored paths is repeated, since an argument replaces it. */
const PARTS = {
  '--quick': [
    '--testPathIgnorePatterns=/node_modules/',
    String.raw`--testPathIgnorePatterns=\.slow\.(int-|e2e-)?spec\.ts$`,
  ],
  '--attacks': ['--testMatch=**/attacks.slow.e2e-spec.ts', '--maxWorkers=1'],
  '--slow': [
    '--testMatch=**/*.slow.spec.ts',
    '--testMatch=**/*.slow.*-spec.ts',
    '--testPathIgnorePatterns=/node_modules/',
    String.raw`--testPathIgnorePatterns=/attacks\.slow\.e2e-spec\.ts$`,
  ],
};

const args = process.argv.slice(2).flatMap((argument) => PARTS[argument] ?? [argument]);
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS:
      `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code, signal) => process.exit(signal ? 1 : code));
