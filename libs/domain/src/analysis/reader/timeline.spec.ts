import { expect, test } from '@jest/globals';
import type { Cause } from '../../engine/index.js';
import { findUndone } from './timeline.js';

const RESET: Cause = { kind: 'reset', force: false };
const restored = (revision: number): Cause => ({ kind: 'restored', revision });

/** Revisions that count, of events with these causes from `first` on. */
const counted = (causes: readonly Cause[], first = 1): number[] => {
  const revisions = causes.map((cause, index) => ({ revision: first + index, cause }));
  const restores = revisions.flatMap(({ revision, cause }) =>
    cause.kind === 'restored' ? [{ version: 1, revision, to: cause.revision }] : [],
  );
  const undone = findUndone(restores, new Map([[1, first]]));
  return revisions
    .map(({ revision }) => revision)
    .filter((revision) => !undone.some(({ after, upTo }) => revision > after && revision <= upTo));
};

test('what was undone counts as if it had never been, and so does its undo (I6)', () => {
  const start: Cause = { kind: 'start', force: false };
  const stop: Cause = { kind: 'stop' };
  expect(counted([start, RESET])).toEqual([1, 2]);
  expect(counted([start, RESET, restored(1)])).toEqual([1]);
  expect(counted([start, RESET, restored(1), stop])).toEqual([1, 4]);
  // The undo of the undo is the reset again.
  expect(counted([start, RESET, restored(1), restored(2)])).toEqual([1, 2]);
});

test('a state given back whose events were deleted counts as what its own event says (E12)', () => {
  expect(counted([RESET, restored(3)], 5)).toEqual([5, 6]);
});
