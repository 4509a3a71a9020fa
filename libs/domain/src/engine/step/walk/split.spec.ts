import { describe, expect, test } from '@jest/globals';
import {
  card,
  compileFlow,
  custom,
  pictureOf,
  Play,
  someone,
  split,
  started,
  uidOf,
} from '@waymark/testing/builders';
import { fold } from '../../state/fold.js';
import { EMPTY_STATE } from '../../state/state.js';
import { migrate } from '../version/migrate.js';

const flowOf = (shares: Record<string, number>) =>
  compileFlow({
    start: 'offer',
    blocks: {
      offer: split(shares, Object.fromEntries(Object.keys(shares).map((name) => [name, name]))),
      ...Object.fromEntries(Object.keys(shares).map((name) => [name, custom({ again: 'offer' })])),
    },
  });
const halves = flowOf({ short: 1, long: 1 });
const activeIn = (play: Play) =>
  Object.keys(play.state.blocks).filter((uid) => play.state.blocks[uid]!.active);
const startedAs = (userId: string, flow = halves) => started(flow, { ...someone(), userId });

test('a split takes one of its ways and keeps its name as transitioned (K1)', () => {
  const play = started(
    compileFlow({
      start: 'offer',
      blocks: { offer: split({ a: 0, b: 1 }, { a: 'one', b: 'two' }), one: card(), two: card() },
    }),
  );
  expect(pictureOf(play.state)).toEqual({ flow: 'started', offer: '[b]', two: 'active entered' });
});

test('its event names the way and is of format 2, others are of format 1 (K1, S6, Z0)', () => {
  const play = startedAs('ada').take(
    startedAs('ada').state.blocks['u-long'] ? 'long' : 'short',
    'again',
  );
  expect(play.events.map(({ format }) => format)).toEqual([2, 2]);
  expect(play.stop().events.at(-1)!.format).toBe(1);
  for (const { changes } of play.events.slice(0, 2))
    expect(changes).toContainEqual(
      expect.objectContaining({ kind: 'transitioned', block: 'u-offer' }),
    );
  expect(fold(play.events)).toStrictEqual(play.state);
});

describe('the way taken is kept', () => {
  // Whom the changed shares would send the other way.
  const mover = Array.from({ length: 200 }, (_, index) => `user ${index}`).find(
    (user) => startedAs(user).state.blocks['u-short'],
  )!;
  const changed = flowOf({ short: 0, long: 1 });

  test('until a reset, though shares have changed since (K1)', () => {
    const play = startedAs(mover).edit(changed).take('short', 'again');
    expect(activeIn(play)).toEqual(['u-short']);
    expect(activeIn(play.reset(true))).toEqual(['u-long']);
  });

  test('by a migration that carries over (K1, S28)', () => {
    const older = { version: 1, state: startedAs(mover).state };
    const context = { ...someone(), userId: mover };
    const { state, event } = migrate(changed, older, 'carry-over', context);
    const play = new Play(changed, state).as(context).take('short', 'again');
    expect(activeIn(play)).toEqual(['u-short']);
    expect(fold([event!])).toStrictEqual(state);
  });

  test.each(['restart-in-progress', 'restart-all'] as const)(
    'by a %s migration, and by one after it (K1, S28)',
    (strategy) => {
      const context = { ...someone(), userId: mover };
      const older = { version: 1, state: startedAs(mover).state };
      const once = migrate(changed, older, strategy, context);
      expect(pictureOf(once.state)).toEqual({
        flow: 'started',
        offer: '[short]',
        short: 'active entered',
      });
      expect(fold([once.event!])).toStrictEqual(once.state);
      const twice = migrate(changed, { version: 2, state: once.state }, strategy, context);
      expect(twice.state).toStrictEqual(once.state);
    },
  );

  test('where an edit restarts the flow, though it is reached later only (K1, S27)', () => {
    const behind = compileFlow({
      start: 'door',
      blocks: {
        door: custom({ open: 'offer' }),
        offer: split({ short: 0, long: 1 }, { short: 'quick', long: 'long' }),
        quick: card(),
        long: card(),
      },
    });
    const play = startedAs(mover).edit(behind);
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      door: 'active entered',
      offer: '[short]',
    });
    expect(activeIn(play.take('door', 'open'))).toEqual(['u-quick']);
    expect(fold(play.events)).toStrictEqual(play.state);
  });

  test('not where an edit took its name away: the next time another is taken (K1, S27)', () => {
    const without = compileFlow({
      start: 'offer',
      blocks: {
        offer: split({ long: 1, none: 0 }, { long: 'long', none: 'short' }),
        short: custom({ again: 'offer' }),
        long: card(),
      },
    });
    const play = startedAs(mover).edit(without);
    expect(pictureOf(play.state).offer).toBeUndefined();
    expect(pictureOf(play.take('short', 'again').state)).toMatchObject({
      offer: '[long]',
      long: 'active entered',
    });
  });
});

describe('a state with a way has format 1, as one without: where the split is gone, the way is forgotten as that of any block', () => {
  const without = compileFlow({
    start: 'short',
    blocks: { short: custom({ again: 'long' }), long: custom({ again: 'short' }) },
  });
  const { state } = startedAs('ada');
  const { [uidOf('offer')]: way, ...others } = state.blocks;
  const never = { ...state, blocks: others };

  test.each(['carry-over', 'restart-in-progress', 'restart-all', 'stop-in-progress'] as const)(
    'by a %s migration (K1, Z0, S28)',
    (strategy) => {
      expect({ way, format: state.format }).toEqual({
        way: { transitioned: [expect.any(String)] },
        format: 1,
      });
      const meet = (before: typeof state) =>
        migrate(without, { version: 1, state: before }, strategy, someone());
      expect(meet(state)).toStrictEqual(meet(never));
      expect(meet(state).event!.format).toBe(1);
    },
  );

  test('by an edit, whose changes older releases know (K1, Z0, S27)', () => {
    const play = new Play(halves, state).edit(without);
    expect(play.state).toStrictEqual(never);
    expect(play.events).toEqual([
      {
        format: 1,
        cause: { kind: 'edited' },
        changes: [{ kind: 'dropped', block: uidOf('offer') }],
      },
    ]);
  });
});

test('a way that leads nowhere is recorded (K1, S18)', () => {
  const flow = compileFlow({ start: 'offer', blocks: { offer: split({ a: 1, b: 0 }) } });
  expect(started(flow).state).toEqual({
    ...EMPTY_STATE,
    started: true,
    finished: true,
    blocks: { [uidOf('offer')]: { transitioned: ['a'] } },
  });
});
