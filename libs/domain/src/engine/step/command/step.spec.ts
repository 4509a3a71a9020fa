import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  gate,
  modal,
  pictureOf,
  Play,
  someone,
  started,
} from '@waymark/testing/builders';
import { EMPTY_STATE } from '../../state/state.js';
import { step, needsContext } from './step.js';
import type { Command } from '../../state/command.js';
import type { Target } from '../../definition/definition.js';

describe('a transition', () => {
  const flow = compileFlow({
    blocks: {
      ask: custom({ 'yes,maybe': 'good', no: 'bad', yes: 'extra' }),
      good: card(),
      bad: card(),
      extra: modal({ complete: 'ask' }),
    },
  });

  test('makes the block inactive and exited, notes the name and follows its paths (S12)', () => {
    expect(pictureOf(started(flow).take('ask', 'no').state)).toEqual({
      flow: 'started',
      ask: 'entered exited [no]',
      bad: 'active entered',
    });
  });

  test('follows every path that carries the name (S1, S12)', () => {
    expect(activeIn(started(flow).take('ask', 'yes').state)).toEqual(['extra', 'good']);
  });

  test('several names are one step, in the order of the definition whatever theirs (S12)', () => {
    const play = started(flow).take('ask', 'no', 'yes');
    expect(play.events).toHaveLength(2);
    const other = started(flow).take('ask', 'yes', 'no');
    expect(other.events[1]?.changes).toEqual(play.events[1]?.changes);
    expect(play.events[1]?.changes).toEqual([
      { kind: 'exited', block: 'u-ask' },
      { kind: 'transitioned', block: 'u-ask', name: 'yes' },
      { kind: 'transitioned', block: 'u-ask', name: 'no' },
      { kind: 'entered', block: 'u-good' },
      { kind: 'entered', block: 'u-bad' },
      { kind: 'entered', block: 'u-extra' },
    ]);
  });

  test('the order of paths decides where a finish cuts the walk, not the order of names (S12, S17)', () => {
    const cut = compileFlow({
      blocks: { ask: custom({ a: 'first', b: 'finish', c: 'last' }), first: card(), last: card() },
    });
    expect(pictureOf(started(cut).take('ask', 'c', 'b', 'a').state)).toEqual({
      flow: 'started finished',
      ask: 'entered exited [a b c]',
      first: 'entered',
    });
  });

  test('a path with two used names is followed once, repeated names count once (S12, S13, S20)', () => {
    const gated = compileFlow({
      blocks: { ask: custom({ 'yes,sure': ['g', 'ask'] }), g: gate('bye'), bye: card() },
    });
    const play = started(gated).take('ask', 'sure', 'yes', 'sure');
    // Followed twice, the gate would pass and then keep the second arrival.
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      ask: 'active entered exited [yes sure]',
      bye: 'active entered',
    });
  });

  test('a fixed name without a path still exits the block (S13)', () => {
    const play = started(
      compileFlow({ start: ['a', 'b'], blocks: { a: card({ complete: 'finish' }), b: card() } }),
    ).take('a', 'dismiss');
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      a: 'entered exited [dismiss]',
      b: 'active entered',
    });
  });

  test('a path back to the same block takes effect though every flag ends as it was (S6, S14)', () => {
    const play = started(compileFlow({ blocks: { ask: custom({ again: 'ask' }) } })).take(
      'ask',
      'again',
    );
    const before = play.state;
    expect(play.take('ask', 'again').tookEffect).toBe(true);
    expect(play.state).toEqual(before);
  });

  test('an exited block becomes active again, its exited and transitioned stay (S14)', () => {
    const play = started(flow).take('ask', 'yes').take('extra', 'complete');
    expect(pictureOf(play.state).ask).toBe('active entered exited [yes]');
  });

  const idle: [string, (play: Play) => Play][] = [
    ['a block never entered', (play) => play.take('good', 'complete')],
    ['a block already left', (play) => play.take('ask', 'no').take('ask', 'no')],
    ['a block of a stopped flow', (play) => play.stop().take('ask', 'no')],
    ['a block of a finished flow', (play) => play.finish().take('ask', 'no')],
  ];
  test.each(idle)('has no effect on %s (S12)', (_, act) => {
    const play = act(started(flow));
    expect(play.tookEffect).toBe(false);
  });

  test('has no effect in a flow never started, and gives back the very state (S6, S12)', () => {
    const result = step(
      flow,
      EMPTY_STATE,
      { kind: 'transition', block: 'u-ask', names: ['no'] },
      someone(),
    );
    expect(result).toEqual({ state: EMPTY_STATE, event: null, effects: [] });
    expect(result.state).toBe(EMPTY_STATE);
  });

  test.each([['no-such'], ['u-logic']])(
    'of %s, which is no exposed block, is a mistake of the caller (B6)',
    (uid) => {
      const withLogic = compileFlow({
        blocks: { logic: branch('true', { true: 'ask' }), ask: custom() },
      });
      const transition = { kind: 'transition', block: uid, names: ['no'] } as const;
      expect(() => step(withLogic, EMPTY_STATE, transition, someone())).toThrow(
        expect.objectContaining({ code: 'engine.unknown-block' }),
      );
    },
  );

  test('with names that the check refuses is a mistake of the caller, whatever the state (S13)', () => {
    const refused = expect.objectContaining({ code: 'engine.invalid-names' });
    for (const names of [['nope'], [''], []]) {
      expect(() => new Play(flow).take('ask', ...names)).toThrow(refused);
    }
  });
});

describe('every step', () => {
  test('gives the same for the same input and writes on none of it (R11)', () => {
    const flow = compileFlow({ blocks: { list: checklist(['one', 'two'], { complete: 'list' }) } });
    const play = () =>
      started(flow)
        .take('one', 'skip')
        .take('two', 'complete')
        .take('one', 'complete')
        .stop()
        .reset();
    expect(play().events).toEqual(play().events);
    expect(play().state).toEqual(play().state);
  });

  test('records its command as the cause (S6)', () => {
    const play = started(compileFlow({ blocks: { a: card({ complete: 'a' }) } }))
      .take('a', 'complete')
      .stop();
    expect(play.events.map(({ cause }) => cause)).toEqual([
      { kind: 'start', force: true },
      { kind: 'transition', block: 'u-a', names: ['complete'] },
      { kind: 'stop' },
    ]);
  });

  test('leaves no trace of blocks that have nothing true (S5)', () => {
    const play = started(compileFlow({ blocks: { a: card({ complete: 'b' }), b: card() } }));
    expect(play.state).toEqual({
      format: 1,
      started: true,
      stopped: false,
      finished: false,
      blocks: { 'u-a': { active: true, entered: true } },
      gates: {},
    });
    expect(JSON.parse(JSON.stringify(play.state))).toEqual(play.state);
  });
});

const matching: Target = { users: 'matching', when: 'user.properties.a' };
const plain = compileFlow({ blocks: { a: card() } });
const targeted = compileFlow({ target: matching, blocks: { a: card() } });
const branching = compileFlow({
  blocks: { a: card({ complete: 'b' }), b: branch('user.properties.b', { true: 'a' }) },
});
const commands: Record<string, Command | 'read'> = {
  read: 'read',
  start: { kind: 'start', force: false },
  reset: { kind: 'reset', force: false },
  stop: { kind: 'stop' },
  finish: { kind: 'finish' },
  transition: { kind: 'transition', block: 'u-a', names: ['complete'] },
};
const asking = (flow: typeof plain) =>
  Object.keys(commands).filter((name) => needsContext(flow, commands[name] ?? 'read'));

describe('whether properties have to be read', () => {
  test('never, where neither targeting nor a branch asks for them (S7, S15)', () => {
    expect(asking(plain)).toEqual([]);
  });

  test('for what may start, where targeting asks (S7)', () => {
    expect(asking(targeted)).toEqual(['read', 'start', 'reset']);
  });

  test('for everything, where a branch asks and a migration or edit may come first (S15, S27, S28)', () => {
    expect(asking(branching)).toEqual(Object.keys(commands));
  });
});
