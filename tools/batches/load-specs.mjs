// Loads spec files into one test file, so that the modules they share are loaded once. Each becomes
// a `describe` with its path, and what it sets up at its top (`beforeAll`, `afterEach`) is for its
// own tests alone.
import { describe, test } from '@jest/globals';
import path from 'node:path';

export async function loadSpecs(root, files) {
  const state = globalThis.circusState;
  const top = state.currentDescribeBlock;
  for (const file of files) {
    let block;
    describe(file, () => {
      block = state.currentDescribeBlock;
    });
    // Reopened, since what a module does while it loads cannot be in a callback that is not async.
    state.currentDescribeBlock = block;
    try {
      await import(path.join(root, file));
    } catch (error) {
      // The other files of the batch still run.
      test('loads', () => Promise.reject(error));
    }
    state.currentDescribeBlock = top;
  }
}
