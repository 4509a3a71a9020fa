import { fileURLToPath } from 'node:url';
import base from '../../jest.config.mjs';

/** `.batches` is written by tools/test.mjs. */
export default {
  ...base,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  roots: [...base.roots, '<rootDir>/.batches'],
  testMatch: ['<rootDir>/.batches/*.batch.mjs'],
  testEnvironment: '<rootDir>/tools/batches/batch-environment.mjs',
  testSequencer: '<rootDir>/tools/batches/in-order.mjs',
};
