import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  card,
  checklist,
  compileFlow,
  custom,
  hints,
  pictureOf,
  Play,
  started,
  tour,
} from '@waymark/testing/builders';

const onward = { complete: 'after', dismiss: 'dropped' };
const around = { after: card(), dropped: card() };
const list = compileFlow({ blocks: { list: checklist(['one', 'two'], onward), ...around } });
const marks = compileFlow({ blocks: { marks: hints(['one', 'two'], onward), ...around } });
const trip = compileFlow({ blocks: { trip: tour(['one', 'two', 'three'], onward), ...around } });

describe('entering a container', () => {
  test('shows all items of a checklist and of hints, the first of a tour (S21)', () => {
    expect(activeIn(started(list).state)).toEqual(['list', 'one', 'two']);
    expect(activeIn(started(marks).state)).toEqual(['marks', 'one', 'two']);
    expect(activeIn(started(trip).state)).toEqual(['one', 'trip']);
  });

  test('again clears its items first, its own state stays (S14, S24)', () => {
    const flow = compileFlow({
      blocks: {
        list: checklist(['one', 'two'], { dismiss: 'pause' }),
        pause: custom({ back: 'list' }),
      },
    });
    const play = started(flow).take('one', 'skip').take('list', 'dismiss').take('pause', 'back');
    expect(pictureOf(play.state)).toMatchObject({
      list: 'active entered exited [dismiss]',
      one: 'active entered',
      two: 'active entered',
    });
  });

  test('again begins a tour at its first item (S21, S24)', () => {
    const flow = compileFlow({
      blocks: { trip: tour(['one', 'two'], { dismiss: 'pause' }), pause: custom({ back: 'trip' }) },
    });
    const play = started(flow).take('one', 'next').take('trip', 'dismiss').take('pause', 'back');
    expect(pictureOf(play.state)).toMatchObject({ one: 'active entered' });
    expect(play.state.blocks).not.toHaveProperty('u-two');
  });

  test('straight from itself clears its items too (S23, S24)', () => {
    const flow = compileFlow({ blocks: { list: checklist(['one', 'two'], { complete: 'list' }) } });
    const play = started(flow).take('one', 'skip').take('two', 'complete');
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      list: 'active entered exited [complete]',
      one: 'active entered',
      two: 'active entered',
    });
  });
});

describe('a tour', () => {
  test('next exits an item and enters the following one (S22)', () => {
    const play = started(trip).take('one', 'next');
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      trip: 'active entered',
      one: 'entered exited [next]',
      two: 'active entered',
    });
  });

  test('previous exits an item and enters the one before (S22)', () => {
    const play = started(trip).take('one', 'next').take('two', 'previous');
    expect(pictureOf(play.state)).toMatchObject({
      one: 'active entered exited [next]',
      two: 'entered exited [previous]',
    });
    expect(activeIn(play.take('one', 'next').state)).toEqual(['trip', 'two']);
  });

  test('previous on the first item has no effect (S22)', () => {
    const play = started(trip);
    const before = play.state;
    expect(play.take('one', 'previous').tookEffect).toBe(false);
    expect(play.state).toBe(before);
  });

  test('next on the last item completes it in the same step (S22, S23)', () => {
    const play = started(trip).take('one', 'next').take('two', 'next').take('three', 'next');
    expect(play.events).toHaveLength(4);
    expect(pictureOf(play.state)).toMatchObject({
      trip: 'entered exited [complete]',
      three: 'entered exited [next]',
      after: 'active entered',
    });
  });

  test('next on its only item completes it, previous there has no effect (S22, S23)', () => {
    const short = compileFlow({ blocks: { trip: tour(['one'], onward), ...around } });
    expect(started(short).take('one', 'previous').tookEffect).toBe(false);
    expect(activeIn(started(short).take('one', 'next').state)).toEqual(['after']);
  });

  test('an item that is not shown does not move (S12)', () => {
    const play = started(trip);
    expect(play.take('two', 'next').tookEffect).toBe(false);
    expect(play.take('three', 'previous').tookEffect).toBe(false);
  });
});

describe('a container that completes by itself', () => {
  const ways: [string, typeof list, string, string][] = [
    ['a checklist by complete and skip', list, 'complete', 'skip'],
    ['a checklist by skips alone', list, 'skip', 'skip'],
    ['hints by complete and dismiss', marks, 'dismiss', 'complete'],
    ['hints by dismissals alone', marks, 'dismiss', 'dismiss'],
  ];
  test.each(ways)('%s, when every item is taken and not before (S23)', (_, flow, first, second) => {
    const play = started(flow).take('one', first);
    expect(activeIn(play.state)).toHaveLength(2);
    expect(activeIn(play.take('two', second).state)).toEqual(['after']);
    expect(play.tookEffect).toBe(true);
  });

  test('exits the item, then the container, then follows the paths; one step (S23)', () => {
    const play = started(list).take('two', 'complete', 'skip').take('one', 'complete');
    expect(play.events.at(-1)?.changes).toEqual([
      { kind: 'exited', block: 'u-one' },
      { kind: 'transitioned', block: 'u-one', name: 'complete' },
      { kind: 'exited', block: 'u-list' },
      { kind: 'transitioned', block: 'u-list', name: 'complete' },
      { kind: 'entered', block: 'u-after' },
    ]);
  });

  test('finishes the flow when nothing follows (S18, S23)', () => {
    const flow = compileFlow({ blocks: { list: checklist(['one'], {}) } });
    expect(pictureOf(started(flow).take('one', 'skip').state)).toMatchObject({
      flow: 'started finished',
      list: 'entered exited [complete]',
    });
  });

  test('knows what was taken when its state comes back from storage (S23)', () => {
    const stored = JSON.parse(JSON.stringify(started(list).take('one', 'complete').state));
    expect(activeIn(new Play(list, stored).take('two', 'complete').state)).toEqual(['after']);
  });
});

describe('a container that the user leaves', () => {
  test.each([
    ['complete', 'after'],
    ['dismiss', 'dropped'],
  ])(
    'by %s exits along that path, its items become inactive and keep the rest (S24)',
    (name, next) => {
      const play = started(list).take('one', 'skip').take('list', name);
      expect(pictureOf(play.state)).toEqual({
        flow: 'started',
        list: `entered exited [${name}]`,
        one: 'entered exited [skip]',
        two: 'entered',
        [next]: 'active entered',
      });
    },
  );

  test('no longer lets its items move (S24)', () => {
    const play = started(list).take('list', 'dismiss');
    expect(play.take('two', 'complete').tookEffect).toBe(false);
  });

  test('an item marked active in a container that is not does not move either (S24)', () => {
    const { state } = started(list).take('list', 'dismiss');
    const odd = {
      ...state,
      blocks: { ...state.blocks, 'u-one': { active: true, entered: true } as const },
    };
    expect(new Play(list, odd).take('one', 'complete').tookEffect).toBe(false);
  });

  test('leaves a tour along its path with the active item inactive, not exited (S24)', () => {
    const play = started(trip).take('one', 'next').take('trip', 'complete');
    expect(pictureOf(play.state)).toMatchObject({
      two: 'entered',
      trip: 'entered exited [complete]',
      after: 'active entered',
    });
    expect(pictureOf(play.state)).not.toHaveProperty('three');
  });
});

test('items have no paths of their own: leaving one leads nowhere else (S25)', () => {
  expect(activeIn(started(marks).take('one', 'dismiss').state)).toEqual(['marks', 'two']);
});
