import { fileURLToPath } from 'node:url';
import base from '../../jest.config.mjs';

/** tools/test.mjs writes a folder in `.batches`, and passes its files. */
export default {
  ...base,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  roots: [...base.roots, '<rootDir>/.batches'],
  testEnvironment: '<rootDir>/tools/batches/batch-environment.mjs',
  testSequencer: '<rootDir>/tools/batches/in-order.mjs',
};
