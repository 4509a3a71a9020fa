import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  card,
  checklist,
  compileFlow,
  gate,
  pictureOf,
  Play,
  started,
  webhook,
} from '@waymark/testing/builders';

const flow = compileFlow({
  start: ['welcome', 'list'],
  blocks: {
    welcome: card({ complete: 'both' }),
    list: checklist(['one', 'two'], { complete: 'both' }),
    both: gate('bye'),
    bye: card(),
  },
});

describe.each(['stop', 'finish'] as const)('%s', (intent) => {
  const flag = intent === 'stop' ? 'stopped' : 'finished';
  const opposite = intent === 'stop' ? 'finish' : 'stop';

  test(`sets ${flag} and makes every block inactive; all else stays (S11)`, () => {
    const play = started(flow).take('welcome', 'complete').take('one', 'skip')[intent]();
    expect(pictureOf(play.state)).toEqual({
      flow: `started ${flag}`,
      welcome: 'entered exited [complete]',
      list: 'entered',
      one: 'entered exited [skip]',
      two: 'entered',
      both: 'received welcome',
    });
  });

  test('works on a flow never started and keeps the user out (S11)', () => {
    const play = new Play(flow)[intent]();
    expect(play.tookEffect).toBe(true);
    expect(pictureOf(play.state)).toEqual({ flow: flag });
    expect(play.start(true).tookEffect).toBe(false);
  });

  test('has no effect a second time (S6, S11)', () => {
    const play = started(flow)[intent]();
    const before = play.state;
    expect(play[intent]().tookEffect).toBe(false);
    expect(play.state).toBe(before);
  });

  test(`undoes a ${opposite} (S11)`, () => {
    expect(pictureOf(started(flow)[opposite]()[intent]().state).flow).toBe(`started ${flag}`);
  });

  test('lets no block move any more (S12)', () => {
    const play = started(flow)[intent]();
    for (const id of ['welcome', 'list', 'one'])
      expect(play.take(id, 'complete').tookEffect).toBe(false);
  });

  test('records the same whatever the order of keys in the stored state (S6)', () => {
    const { state } = started(flow);
    const reversed = {
      ...state,
      blocks: Object.fromEntries(Object.entries(state.blocks).reverse()),
    };
    expect(new Play(flow, reversed)[intent]().events).toEqual(
      new Play(flow, state)[intent]().events,
    );
  });
});

describe('the end of a flow', () => {
  test('a step that leaves no block active finishes the flow (S18)', () => {
    const play = started(compileFlow({ blocks: { a: card({ complete: 'b' }), b: card() } })).take(
      'a',
      'complete',
    );
    expect(play.state.finished).toBe(false);
    expect(play.take('b', 'complete').state.finished).toBe(true);
    expect(play.events.at(-1)?.changes.at(-1)).toEqual({ kind: 'flow', finished: true });
  });

  test('a flow goes on while another block is active (S18)', () => {
    const play = started(compileFlow({ start: ['a', 'b'], blocks: { a: card(), b: card() } })).take(
      'a',
      'complete',
    );
    expect(play.state.finished).toBe(false);
  });

  test('a start that leads to no exposed block finishes at once (S18)', () => {
    const play = new Play(compileFlow({ blocks: { call: webhook() } })).start();
    expect(pictureOf(play.state)).toEqual({ flow: 'started finished' });
    expect(play.effects).toHaveLength(1);
  });

  test('a start that leads nowhere finishes at once (S18)', () => {
    expect(pictureOf(new Play(compileFlow({ start: [] })).start().state)).toEqual({
      flow: 'started finished',
    });
  });

  test('a gate left waiting for a path that nobody can take does not keep a flow going (S18)', () => {
    const waiting = compileFlow({
      start: ['a', 'b'],
      blocks: { a: card({ complete: 'g' }), b: card({ complete: 'g' }), g: gate('c'), c: card() },
    });
    const play = started(waiting).take('a', 'complete').take('b', 'dismiss');
    expect(pictureOf(play.state)).toMatchObject({ flow: 'started finished', g: 'received a' });
  });

  test('neither a stop nor a reset to nothing finishes a flow (S11, S18)', () => {
    const closed = compileFlow({ target: { users: 'api-only' }, blocks: { a: card() } });
    expect(started(closed).stop().state.finished).toBe(false);
    expect(started(closed).reset().state.finished).toBe(false);
  });

  test('a finish makes every block inactive, those of other branches too, without exiting them (S17)', () => {
    const play = started(
      compileFlow({
        start: ['a', 'list'],
        blocks: { a: card({ complete: 'finish' }), list: checklist(['one']) },
      }),
    );
    play.take('a', 'complete');
    expect(pictureOf(play.state)).toEqual({
      flow: 'started finished',
      a: 'entered exited [complete]',
      list: 'entered',
      one: 'entered',
    });
    expect(activeIn(play.state)).toEqual([]);
  });

  test('what was entered before the finish in the walk stays entered, what would have come after is not (S17)', () => {
    const play = started(
      compileFlow({
        blocks: {
          a: card({ complete: ['before', 'finish', 'after'] }),
          before: card(),
          after: card(),
        },
      }),
    );
    play.take('a', 'complete');
    expect(pictureOf(play.state)).toEqual({
      flow: 'started finished',
      a: 'entered exited [complete]',
      before: 'entered',
    });
  });

  test('a start may finish by itself (S17)', () => {
    const play = new Play(
      compileFlow({ start: ['a', 'finish', 'b'], blocks: { a: card(), b: card() } }),
    ).start();
    expect(pictureOf(play.state)).toEqual({ flow: 'started finished', a: 'entered' });
  });
});
