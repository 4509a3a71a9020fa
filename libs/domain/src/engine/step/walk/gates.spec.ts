import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  branch,
  card,
  compileFlow,
  custom,
  gate,
  pictureOf,
  started,
  webhook,
} from '@waymark/testing/builders';

describe('a gate', () => {
  test('passes when every block that leads to it has taken a path to it, not before (S16)', () => {
    const flow = compileFlow({
      start: ['a', 'b', 'c'],
      blocks: {
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        c: card({ complete: 'g' }),
        g: gate('next'),
        next: card(),
      },
    });
    const play = started(flow).take('b', 'complete').take('a', 'complete');
    expect(pictureOf(play.state).g).toBe('received b a');
    expect(activeIn(play.state)).toEqual(['c']);
    play.take('c', 'complete');
    expect(activeIn(play.state)).toEqual(['next']);
  });

  test('clears what it received on passing (S16)', () => {
    const flow = compileFlow({
      blocks: { a: card({ complete: 'g' }), g: gate('next'), next: card() },
    });
    expect(started(flow).take('a', 'complete').state.gates).toEqual({});
  });

  test('waits for all again after it has passed (S16)', () => {
    const flow = compileFlow({
      start: ['a', 'b'],
      blocks: {
        a: custom({ go: ['g', 'a'] }),
        b: custom({ go: ['g', 'b'] }),
        g: gate('next'),
        next: card({ complete: 'finish' }),
      },
    });
    const play = started(flow)
      .take('a', 'go')
      .take('b', 'go')
      .take('next', 'dismiss')
      .take('a', 'go');
    expect(pictureOf(play.state)).toMatchObject({
      g: 'received a',
      next: 'entered exited [dismiss]',
    });
    expect(activeIn(play.take('b', 'go').state)).toEqual(['a', 'b', 'next']);
  });

  test('counts blocks, not paths: one of the paths of a block is enough (S16)', () => {
    const flow = compileFlow({
      blocks: { a: card({ complete: 'g', dismiss: 'g' }), g: gate('next'), next: card() },
    });
    expect(activeIn(started(flow).take('a', 'dismiss').state)).toEqual(['next']);
  });

  test('the same block arriving twice counts once (S16)', () => {
    const flow = compileFlow({
      start: ['a', 'b'],
      blocks: {
        a: custom({ go: ['g', 'a'] }),
        b: card({ complete: 'g' }),
        g: gate('next'),
        next: card(),
      },
    });
    const play = started(flow).take('a', 'go').take('a', 'go');
    expect(pictureOf(play.state).g).toBe('received a');
    expect(activeIn(play.take('b', 'complete').state)).toEqual(['a', 'next']);
  });

  test('waits for the start too, where that leads to it (S16)', () => {
    const flow = compileFlow({
      start: ['g', 'a'],
      blocks: { a: card({ complete: 'g' }), g: gate('next'), next: card() },
    });
    const play = started(flow);
    expect(pictureOf(play.state).g).toBe('received start');
    expect(activeIn(play.take('a', 'complete').state)).toEqual(['next']);
  });

  test('takes automatic blocks as inputs like any other (S16)', () => {
    const flow = compileFlow({
      start: ['call', 'ask'],
      blocks: {
        call: webhook('g'),
        ask: branch('true', { true: 'g' }),
        g: gate('next'),
        next: card(),
      },
    });
    expect(activeIn(started(flow).state)).toEqual(['next']);
  });

  test('does not wait for blocks that nothing reaches (S16)', () => {
    const flow = compileFlow({
      start: 'a',
      blocks: {
        a: card({ complete: 'g' }),
        lost: card({ complete: ['g', 'found'] }),
        found: card({ complete: 'g' }),
        g: gate('next'),
        next: card(),
      },
    });
    expect(activeIn(started(flow).take('a', 'complete').state)).toEqual(['next']);
  });

  test('passes once in a step and keeps what arrives later in it for the next passing (S16, S20)', () => {
    const flow = compileFlow({
      start: ['a', 'b', 'hold'],
      blocks: {
        a: custom({ go: ['g', 'a'] }),
        b: custom({ go: ['g', 'late', 'b'] }),
        late: webhook('ask'),
        ask: branch('true', { true: 'g' }),
        g: gate('next'),
        next: card(),
        hold: card(),
      },
    });
    const play = started(flow).take('b', 'go');
    expect(pictureOf(play.state).g).toBe('received b ask');
    play.take('a', 'go');
    expect(activeIn(play.state)).toContain('next');
    play.take('next', 'complete').take('a', 'go');
    expect(pictureOf(play.state).g).toBe('received a');
    play.take('b', 'go');
    // b completes the gate's inputs only with ask, which arrives after it: one passing.
    expect(play.events.at(-1)?.changes.filter(({ kind }) => kind === 'passed')).toHaveLength(1);
    expect(play.state.gates).toEqual({});
  });

  test('what arrives after the passing of the same step is not lost (S16)', () => {
    const flow = compileFlow({
      blocks: {
        a: custom({ go: ['g', 'call', 'a'] }),
        call: webhook('g2'),
        g: gate('g2'),
        g2: gate('next'),
        next: custom({ ok: 'finish' }),
      },
    });
    expect(activeIn(started(flow).take('a', 'go').state)).toEqual(['a', 'next']);
    const twice = compileFlow({
      blocks: {
        a: custom({ go: ['g', 'g', 'a'] }),
        g: gate('call'),
        call: webhook('next'),
        next: card({ dismiss: 'finish' }),
      },
    });
    const play = started(twice).take('a', 'go');
    expect(pictureOf(play.state)).toMatchObject({ g: 'received a', next: 'active entered' });
    expect(play.effects).toHaveLength(1);
    // Complete already, it passes at the next arrival.
    expect(play.take('a', 'go').effects).toHaveLength(2);
  });

  test('keeps what it has received through stop and finish, a reset clears it (S10, S11)', () => {
    const flow = compileFlow({
      start: ['a', 'b'],
      blocks: { a: card({ complete: 'g' }), b: card({ complete: 'g' }), g: gate() },
    });
    const play = started(flow).take('a', 'complete').stop();
    expect(pictureOf(play.state).g).toBe('received a');
    expect(play.reset().state.gates).toEqual({});
  });

  test('ends the flow when nothing is active behind it (S18)', () => {
    const flow = compileFlow({ blocks: { a: card({ complete: 'g' }), g: gate() } });
    expect(started(flow).take('a', 'complete').state.finished).toBe(true);
  });
});
