import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  doneBy,
  gate,
  hints,
  modal,
  pictureOf,
  someone,
  started,
  webhook,
} from '@waymark/testing/builders';
import { fold } from '../../state/fold.js';

const invited = someone({ invited: true });
const list = doneBy(
  { invite: 'user.properties.invited', pay: 'user.properties.paid' },
  checklist(['invite', 'pay'], { complete: 'bye' }),
);

describe('a look', () => {
  const flow = compileFlow({ blocks: { list, bye: card() } });

  test('ticks what holds, as an event with a cause of its own and format 2 (Z1, Z0)', () => {
    const play = started(flow).as(invited).look();
    expect(activeIn(play.state)).toEqual(['list', 'pay']);
    expect(play.events[1]).toEqual({
      format: 2,
      cause: { kind: 'condition' },
      changes: [
        { kind: 'exited', block: 'u-invite' },
        { kind: 'transitioned', block: 'u-invite', name: 'complete' },
      ],
    });
    expect(fold(play.events)).toEqual(play.state);
  });

  test('takes all that hold in one step, and a container that is done completes in it (Z1, S23)', () => {
    const play = started(flow)
      .as(someone({ invited: 1, paid: 1 }))
      .look();
    expect(play.events).toHaveLength(2);
    expect(activeIn(play.state)).toEqual(['bye']);
  });

  test('without anything that holds gives back the very state (Z1, S6)', () => {
    const play = started(flow);
    const before = play.state;
    expect(play.look().tookEffect).toBe(false);
    expect(play.state).toBe(before);
  });

  test.each(['stop', 'finish'] as const)('at a flow after %s takes nothing (Z1)', (end) => {
    expect(started(flow).as(invited)[end]().look().tookEffect).toBe(false);
  });

  test('leaves cards, modals and hints by complete, and custom blocks by the name they say (Z1)', () => {
    const all = compileFlow({
      start: ['a', 'b', 'c', 'd'],
      blocks: {
        a: doneBy('true', card()),
        b: doneBy('true', modal()),
        c: doneBy('true', custom({ won: 'rest', lost: 'finish' }), 'won'),
        d: doneBy({ tip: 'true' }, hints(['tip', 'other'])),
        rest: card(),
      },
    });
    expect(pictureOf(started(all).look().state)).toMatchObject({
      a: 'entered exited [complete]',
      b: 'entered exited [complete]',
      c: 'entered exited [won]',
      tip: 'entered exited [complete]',
    });
  });

  test('ends where it reaches a finish: what comes behind it in the definition is not taken (Z1, S17)', () => {
    const cut = compileFlow({
      start: ['a', 'b'],
      blocks: { a: doneBy('true', card({ complete: 'finish' })), b: doneBy('true', card()) },
    });
    expect(pictureOf(started(cut).look().state)).toEqual({
      flow: 'started finished',
      a: 'entered exited [complete]',
      b: 'entered',
    });
  });

  test('leaves what it enters to the next one (Z1)', () => {
    const chain = compileFlow({
      blocks: { a: doneBy('true', card({ complete: 'b' })), b: doneBy('true', card()) },
    });
    const play = started(chain).look();
    expect(activeIn(play.state)).toEqual(['b']);
    expect(play.look().state.finished).toBe(true);
  });

  test('lets an automatic block act once, whatever leads to it (Z1, S20)', () => {
    const both = compileFlow({
      start: ['a', 'b'],
      blocks: {
        a: doneBy('true', card({ complete: ['hook', 'meet'] })),
        b: doneBy('true', card({ complete: ['hook', 'meet'] })),
        hook: webhook(),
        meet: gate('fork'),
        fork: branch('user.properties.invited', { true: 'yes', false: 'no' }),
        yes: card(),
        no: card(),
      },
    });
    const play = started(both).as(invited).look();
    expect(activeIn(play.state)).toEqual(['yes']);
    expect(play.effects).toHaveLength(1);
  });
});
