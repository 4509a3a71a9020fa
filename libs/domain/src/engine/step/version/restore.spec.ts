import { describe, expect, test } from '@jest/globals';
import { card, compileFlow, deepFreeze, gate, Play } from '@waymark/testing/builders';
import { EMPTY_STATE, fold, type FlowState, restore } from '../../index.js';

const flow = compileFlow({
  start: ['a', 'b'],
  blocks: {
    a: card({ complete: 'both' }),
    b: card({ complete: 'both' }),
    both: gate('c'),
    c: card(),
  },
});

/** A play and its states: after 0, 1, 2, … events. */
function play() {
  const played = new Play(flow);
  const states: FlowState[] = [played.state];
  for (const act of [() => played.start(), () => played.take('a', 'complete'), () => played.stop()])
    states.push(act().state);
  return { events: played.events, states: deepFreeze(states) };
}

describe('restoring a state', () => {
  test('is one event with one change, gives the very state, and sends nothing (I5)', () => {
    const { states } = play();
    const done = restore(states[3]!, states[2]!, 2);
    expect(done).toEqual({
      state: states[2],
      event: {
        format: 1,
        cause: { kind: 'restored', revision: 2 },
        changes: [{ kind: 'carried', state: states[2] }],
      },
      effects: [],
    });
  });

  test('to the empty state clears it (I5)', () => {
    const { states } = play();
    const done = restore(states[3]!, EMPTY_STATE, 0);
    expect(done.event?.changes).toEqual([{ kind: 'cleared' }]);
    expect(done.state).toEqual(EMPTY_STATE);
  });

  test('that is there already has no effect, whatever the order it was written in (I5, S6)', () => {
    const { states } = play();
    for (const [index, state] of states.entries()) {
      const stored = deepFreeze({
        ...state,
        blocks: Object.fromEntries(Object.entries(state.blocks).reverse()),
      });
      expect(restore(stored, state, index)).toEqual({ state: stored, event: null, effects: [] });
      for (const other of states)
        if (other !== state) expect(restore(state, other, index).event).not.toBeNull();
    }
  });

  test('that is there already is an event of an undo, after which nothing had been (I6)', () => {
    const { states } = play();
    const done = restore(states[2]!, states[2]!, 2, true);
    expect(done).toMatchObject({ state: states[2], event: { cause: { revision: 2 } } });
  });

  test('has an effect where only the names differ that a block took (I5)', () => {
    const taken = (name: string): FlowState => ({
      ...EMPTY_STATE,
      blocks: { 'u-a': { entered: true, transitioned: [name] } },
    });
    expect(restore(taken('complete'), taken('dismiss'), 1)).toMatchObject({
      state: taken('dismiss'),
    });
  });

  test('can be followed by any other event: folding gives the state (I5, S6)', () => {
    const { events, states } = play();
    const done = restore(states[3]!, states[1]!, 1);
    expect(fold([...events, done.event!])).toEqual(states[1]);
  });
});
