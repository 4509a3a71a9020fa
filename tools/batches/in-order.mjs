import Sequencer from '@jest/test-sequencer';

/** Batches run in the order of their numbers. */
export default class InOrder extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => a.path.localeCompare(b.path));
  }
}
