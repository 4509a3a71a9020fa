import { describe, expect, test } from '@jest/globals';
import { EMPTY_STATE, type FlowState } from '@waymark/domain/engine';
import type { BlockView } from '@waymark/domain/states';
import { card, compileFlow } from '@waymark/testing/builders';
import type { PushIn, Reading } from './push.js';
import { type Watch, WatchedState } from './watched-state.js';
import type { SharedVersion } from './watched-version.js';
import type { Watcher } from './watcher.js';

const compiled = compileFlow({ blocks: { one: card({ complete: 'two' }), two: card() } });
const flow = {
  flow: 'onboarding',
  version: 1,
  edition: 1,
  strategy: 'carry-over',
  compiled,
} as const;
const NOTHING = new Set<string>();
const SHARED = {
  ...{ flow: 'onboarding', version: 1, atRest: undefined, isArchived: false, states: 1 },
};

/** A reading in which only that block is active. */
const reading = (revision: number, active: string): Reading => {
  const state: FlowState = {
    ...EMPTY_STATE,
    started: revision > 0,
    blocks: { [`u-${active}`]: { active: true, entered: true } },
  };
  return { flow, state, revision };
};

/** Somebody who notes what is shown: the uids of blocks, the active one marked. */
function join(state: WatchedState): { watch: Watch; shown: string[] } {
  const shown: string[] = [];
  const send = (push: PushIn) => {
    const { blocks } = push(undefined);
    shown.push(
      Object.values(JSON.parse(blocks) as Record<string, BlockView>)
        .map(({ uid, state: { active } }) => (active ? `${uid}*` : uid))
        .join(' '),
    );
  };
  const watch: Watch = {
    watcher: { sendPush: send, sendSnapshot: send } as unknown as Watcher,
    state,
    seen: undefined,
    snapshot: 'settled',
    isRequested: true,
  };
  state.watches.set(watch.watcher, watch);
  return { watch, shown };
}

const show = (state: WatchedState, ...found: [Reading, ReadonlySet<string>]) =>
  state.showChange(state.beginRead(), ...found);
const watched = () => new WatchedState('user', SHARED);

describe('a watched state', () => {
  test('shows a snapshot whole, then what changed, and the same revision once (L4, L5)', () => {
    const state = watched();
    const { watch, shown } = join(state);
    state.showSnapshot(watch, reading(1, 'one'));
    show(state, reading(2, 'two'), NOTHING);
    show(state, reading(2, 'two'), NOTHING);
    expect(shown).toEqual(['u-one* u-two', 'u-one u-two*']);
  });

  test('never shows an older snapshot after a newer push (L8)', () => {
    const state = watched();
    const [first, late] = [join(state), join(state)];
    state.showSnapshot(first.watch, reading(1, 'one'));
    show(state, reading(2, 'two'), NOTHING);
    state.showSnapshot(late.watch, reading(1, 'one'));
    expect(late.shown).toEqual(['u-one u-two*']);
    expect(late.watch.seen).toBe(2);
  });

  test('a snapshot newer than what others have seen has the others looked after, by a read of the events (L5)', () => {
    const state = watched();
    const [first, late] = [join(state), join(state)];
    state.showSnapshot(first.watch, reading(1, 'one'));
    state.showSnapshot(late.watch, reading(2, 'two'));
    expect([state.isStale, first.shown.length]).toEqual([true, 1]);
    show(state, reading(2, 'two'), NOTHING);
    expect(first.shown.at(-1)).toBe('u-one u-two*');
    expect(late.shown).toHaveLength(1);
  });

  test('shows blocks that were touched though no flag differs, and resends a block to everybody (S6, L6)', () => {
    const state = watched();
    const { watch, shown } = join(state);
    state.showSnapshot(watch, reading(1, 'one'));
    show(state, reading(2, 'one'), new Set(['u-one']));
    state.showAgain('u-two');
    show(state, reading(2, 'one'), NOTHING);
    expect(shown.slice(1)).toEqual(['u-one*', 'u-two']);
    expect(state.beginRead().resend.size).toBe(0);
  });

  test('shows nothing to who still waits for a snapshot (L4)', () => {
    const state = watched();
    const [first, waiting] = [join(state), join(state)];
    show(state, reading(1, 'one'), NOTHING);
    state.showSnapshot(first.watch, reading(1, 'one'));
    show(state, reading(2, 'two'), NOTHING);
    expect(waiting.shown).toEqual([]);
  });

  test('an edited version 0 is shown whole (S27)', () => {
    const state = watched();
    const { watch, shown } = join(state);
    state.showSnapshot(watch, reading(1, 'one'));
    show(state, { ...reading(2, 'one'), flow: { ...flow, edition: 2 } }, NOTHING);
    expect(shown.at(-1)).toBe('u-one* u-two');
  });

  test('what a look was for is wanted again when it is given up, beside what came meanwhile (L6)', () => {
    const state = watched();
    const { watch, shown } = join(state);
    state.showSnapshot(watch, reading(1, 'one'));
    state.isRecreated = true;
    state.showAgain('u-two');
    const look = state.beginRead();
    state.showAgain('u-one');
    state.failRead(look);
    show(state, reading(1, 'one'), NOTHING);
    expect([shown.at(-1), state.isRecreated, state.beginRead().resend.size]).toEqual([
      'u-one* u-two',
      false,
      0,
    ]);
  });

  test('a deletion that is announced while an older read is under way is still shown (L5)', () => {
    const state = watched();
    const { watch, shown } = join(state);
    state.showSnapshot(watch, reading(1, 'one'));
    const look = state.beginRead();
    state.isRecreated = true;
    state.showChange(look, reading(2, 'two'), NOTHING);
    show(state, reading(2, 'one'), NOTHING);
    expect(shown.slice(1)).toEqual(['u-one u-two*', 'u-one* u-two']);
  });

  test('a deleted state is not preferred to the snapshot of its successor (L4)', () => {
    const state = watched();
    const [first, late] = [join(state), join(state)];
    state.showSnapshot(first.watch, reading(5, 'one'));
    state.isRecreated = true;
    state.showSnapshot(late.watch, reading(1, 'two'));
    expect(late.shown).toEqual(['u-one u-two*']);
  });

  test('what all users without a state share has nothing of one of them (Z5)', () => {
    const watched = { ...SHARED } as SharedVersion;
    const state = new WatchedState('user', watched);
    const { watch } = join(state);
    state.showSnapshot(watch, { ...reading(0, 'one'), inserted: new Map([['name', 'Ada']]) });
    expect(state.restsWith()).toBe(watch.watcher);
    expect(Object.keys(watched.atRest!).sort()).toEqual(['flow', 'revision', 'state']);
  });

  test('a user who was deleted shows as one who never came (L5)', () => {
    const state = watched();
    const { watch, shown } = join(state);
    state.showSnapshot(watch, reading(5, 'one'));
    show(state, { flow, state: EMPTY_STATE, revision: 0 }, NOTHING);
    expect(shown.at(-1)).toBe('u-one');
  });
});
