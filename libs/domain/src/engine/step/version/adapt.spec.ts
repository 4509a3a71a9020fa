import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  type FlowNotation,
  gate,
  hints,
  pictureOf,
  Play,
  someone,
  started,
  tour,
  webhook,
} from '@waymark/testing/builders';
import { EMPTY_STATE } from '../../state/state.js';

const flowOf = (blocks: FlowNotation['blocks'], start?: string[]) =>
  compileFlow({ blocks, ...(start && { start }) });

describe('what an edit takes away', () => {
  test('is dropped: blocks, names and gate inputs that the definition does not have (S27)', () => {
    const before = flowOf(
      {
        a: custom({ yes: 'g', no: 'g' }),
        b: card({ complete: 'g' }),
        c: card({ complete: 'g' }),
        g: gate(),
        stay: card(),
      },
      ['a', 'b', 'c', 'stay'],
    );
    const after = flowOf(
      { a: custom({ yes: 'g' }), c: card({ complete: 'g' }), g: gate(), stay: card() },
      ['a', 'c', 'stay'],
    );
    const play = started(before).take('a', 'no', 'yes').take('b', 'complete').edit(after);
    expect(play.events.at(-1)).toEqual({
      format: 1,
      cause: { kind: 'edited' },
      changes: [
        { kind: 'dropped-name', block: 'u-a', name: 'no' },
        { kind: 'dropped', block: 'u-b' },
        { kind: 'dropped-input', gate: 'u-g', from: 'u-b' },
      ],
    });
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      a: 'entered exited [yes]',
      c: 'active entered',
      stay: 'active entered',
      g: 'received a',
    });
  });

  test('leaves nothing of a gate that is gone or of one that lost all it had received (S5, S27)', () => {
    const before = flowOf(
      {
        a: card({ complete: ['g', 'h'] }),
        b: card({ complete: ['g', 'h'] }),
        g: gate(),
        h: gate(),
      },
      ['a', 'b'],
    );
    const after = flowOf(
      { a: card({ complete: 'finish' }), b: card({ complete: 'g' }), g: gate() },
      ['a', 'b'],
    );
    expect(started(before).take('a', 'complete').edit(after).state.gates).toEqual({});
  });

  test('is dropped from a flow that is not running too, and nothing else happens there (S27)', () => {
    const before = flowOf({ a: card(), list: checklist(['one']) }, ['a', 'list']);
    const after = flowOf({ list: checklist(['one', 'two']) });
    const play = started(before).stop().edit(after);
    expect(pictureOf(play.state)).toEqual({
      flow: 'started stopped',
      list: 'entered',
      one: 'entered',
    });
  });

  test('is a gate input too, when nothing reaches its block any more (S16, S27)', () => {
    const before = flowOf(
      { a: card({ complete: 'g' }), b: card({ complete: 'g' }), g: gate('c'), c: card() },
      ['a', 'b'],
    );
    const after = flowOf(
      { a: card({ complete: 'g' }), b: card({ complete: 'g' }), g: gate('c'), c: card() },
      ['b'],
    );
    const play = started(before).take('a', 'complete').edit(after);
    expect(play.state.gates).toEqual({});
    expect(activeIn(play.take('b', 'complete').state)).toEqual(['c']);
  });
});

describe('an edit without consequences', () => {
  const flow = flowOf({ a: card({ complete: 'list' }), list: checklist(['one', 'two']) });

  test('writes no event and gives back the very state (S6, S27)', () => {
    const play = started(flow).take('a', 'complete').take('one', 'skip');
    const before = play.state;
    expect(
      play.edit(flowOf({ list: checklist(['one', 'two']), a: card({ dismiss: 'finish' }) }, ['a']))
        .tookEffect,
    ).toBe(false);
    expect(play.state).toBe(before);
  });

  test('starts nobody who is not in the flow (S27)', () => {
    const play = new Play(flow).edit(flow);
    expect(play.tookEffect).toBe(false);
    expect(play.state).toBe(EMPTY_STATE);
  });
});

describe('a running flow after an edit', () => {
  test('restarts when no block is active any more, without asking targeting (S27)', () => {
    const play = started(flowOf({ a: card({ complete: 'b' }), b: card() })).take('a', 'complete');
    play.edit(
      compileFlow({
        target: { users: 'api-only' },
        start: ['a', 'call'],
        blocks: { a: card(), call: webhook() },
      }),
    );
    expect(pictureOf(play.state)).toEqual({ flow: 'started', a: 'active entered' });
    expect(play.effects).toHaveLength(1);
    expect(play.events.at(-1)?.changes.map(({ kind }) => kind)).toEqual([
      'dropped',
      'cleared',
      'flow',
      'entered',
      'effected',
    ]);
  });

  test('finishes when the restart leads to nothing (S18, S27)', () => {
    const play = started(flowOf({ a: card() })).edit(flowOf({ call: webhook() }));
    expect(pictureOf(play.state)).toEqual({ flow: 'started finished' });
  });

  test('enters new items of an active checklist or hints, those of an inactive one not (S27)', () => {
    const before = flowOf(
      { list: checklist(['one', 'two']), marks: hints(['m']), old: hints(['o']) },
      ['list', 'marks', 'old'],
    );
    const after = flowOf(
      { list: checklist(['new', 'one', 'two']), marks: hints(['m', 'n']), old: hints(['o', 'p']) },
      ['list', 'marks', 'old'],
    );
    const play = started(before).take('one', 'skip').take('old', 'dismiss').edit(after);
    expect(activeIn(play.state)).toEqual(['list', 'm', 'marks', 'n', 'new', 'two']);
    expect(pictureOf(play.state)).toMatchObject({ one: 'entered exited [skip]', o: 'entered' });
  });

  test('moves a tour whose active item is gone to its first item not yet left (S27)', () => {
    const play = started(flowOf({ trip: tour(['one', 'two', 'three']) })).take('one', 'next');
    play.edit(flowOf({ trip: tour(['one', 'fresh', 'three']) }));
    expect(activeIn(play.state)).toEqual(['fresh', 'trip']);
  });

  test('leaves a tour where it stands when its active item is still there (S27)', () => {
    const play = started(flowOf({ trip: tour(['one', 'two']) })).take('one', 'next');
    expect(play.edit(flowOf({ trip: tour(['fresh', 'one', 'two']) })).tookEffect).toBe(false);
  });

  test('completes a tour that is done because all its items are left (S27)', () => {
    const play = started(
      flowOf({ trip: tour(['one', 'two'], { complete: 'after' }), after: card() }),
    ).take('one', 'next');
    play.edit(flowOf({ trip: tour(['one'], { complete: 'after' }), after: card() }));
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      trip: 'entered exited [complete]',
      one: 'entered exited [next]',
      after: 'active entered',
    });
  });

  test.each([
    ['checklist', checklist, 'skip'],
    ['hints', hints, 'dismiss'],
  ] as const)('completes active %s whose items are all done (S23, S27)', (_, build, name) => {
    const play = started(
      flowOf({ box: build(['one', 'two'], { complete: 'after' }), after: card() }),
    ).take('one', name);
    play.edit(flowOf({ box: build(['one'], { complete: 'after' }), after: card() }));
    expect(activeIn(play.state)).toEqual(['after']);
  });

  test('lets a gate pass that has received all its inputs (S16, S27)', () => {
    const before = flowOf(
      { a: card({ complete: 'g' }), b: card({ complete: 'g' }), g: gate('c'), c: card() },
      ['a', 'b'],
    );
    const after = flowOf({ a: card({ complete: 'g' }), b: card(), g: gate('c'), c: card() }, [
      'a',
      'b',
    ]);
    const play = started(before).take('a', 'complete').edit(after);
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      a: 'entered exited [complete]',
      b: 'active entered',
      c: 'active entered',
    });
  });

  test('keeps a gate closed that has received nothing (S16, S27)', () => {
    const flow = flowOf({ a: card({ complete: 'g' }), g: gate('c'), c: card() });
    expect(started(flow).edit(flow).tookEffect).toBe(false);
  });

  test('does all of it in the order of the rule (S27)', () => {
    const before = flowOf(
      {
        a: card({ complete: 'g' }),
        g: gate('last'),
        b: card({ complete: 'g' }),
        trip: tour(['t1', 't2']),
        done: checklist(['d1', 'd2']),
        list: checklist(['l1']),
        last: card(),
      },
      ['a', 'b', 'trip', 'done', 'list'],
    );
    const after = flowOf(
      {
        a: card({ complete: 'g' }),
        g: gate('last'),
        trip: tour(['t2', 't3']),
        done: checklist(['d1'], { complete: 'last' }),
        list: checklist(['l1', 'l2']),
        last: card(),
        hold: card(),
      },
      ['a', 'trip', 'done', 'list'],
    );
    const play = started(before).take('a', 'complete').take('d1', 'skip').edit(after);
    const taken = play.events.at(-1)?.changes.filter(({ kind }) => kind !== 'dropped');
    expect(taken).toEqual([
      { kind: 'entered', block: 'u-l2' },
      { kind: 'entered', block: 'u-t2' },
      { kind: 'exited', block: 'u-done' },
      { kind: 'transitioned', block: 'u-done', name: 'complete' },
      { kind: 'entered', block: 'u-last' },
      { kind: 'passed', gate: 'u-g' },
    ]);
  });

  test('stops adapting where a completed container leads to a finish (S17, S27)', () => {
    const before = flowOf(
      {
        one: checklist(['o1', 'o2']),
        two: checklist(['t1', 't2']),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate('call'),
        call: webhook(),
      },
      ['one', 'two', 'a', 'b'],
    );
    const after = flowOf(
      {
        one: checklist(['o1'], { complete: 'finish' }),
        two: checklist(['t1'], { complete: 'call' }),
        a: card({ complete: 'g' }),
        g: gate('call'),
        call: webhook(),
      },
      ['one', 'two', 'a'],
    );
    const play = started(before)
      .take('o1', 'skip')
      .take('t1', 'skip')
      .take('a', 'complete')
      .edit(after);
    expect(pictureOf(play.state)).toMatchObject({ flow: 'started finished', two: 'entered' });
    expect(play.effects).toEqual([]);
  });

  test('finishes when the rest leaves no block active (S18, S27)', () => {
    const play = started(flowOf({ list: checklist(['one', 'two']) }))
      .take('one', 'skip')
      .edit(flowOf({ list: checklist(['one']) }));
    expect(play.state.finished).toBe(true);
  });

  test('evaluates branches with the properties of that moment (S15, S27)', () => {
    const play = started(flowOf({ a: card() }));
    play.as(someone({ admin: true })).edit(
      flowOf({
        ask: branch('user.properties.admin', { true: 'b', false: 'c' }),
        b: card(),
        c: card(),
      }),
    );
    expect(activeIn(play.state)).toEqual(['b']);
  });
});
