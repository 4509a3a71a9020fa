import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  branch,
  card,
  compileFlow,
  gate,
  pictureOf,
  Play,
  someone,
  started,
  webhook,
} from '@waymark/testing/builders';
import type { Target } from '../../definition/definition.js';
import { EMPTY_STATE } from '../../state/state.js';

const pro: Target = { users: 'matching', when: 'user.properties.plan == "pro"' };
const flowFor = (target: Target) =>
  compileFlow({ target, blocks: { welcome: card({ complete: 'finish' }) } });

describe('who enters by themselves', () => {
  const cases: [string, Target, Record<string, string>, boolean][] = [
    ['everybody enters a flow for all', { users: 'all' }, {}, true],
    ['a user who matches enters', pro, { plan: 'pro' }, true],
    ['a user who does not match stays out', pro, { plan: 'free' }, false],
    ['nobody enters an api-only flow', { users: 'api-only' }, { plan: 'pro' }, false],
  ];
  test.each(cases)('%s (S7)', (_, target, properties, enters) => {
    const play = new Play(flowFor(target)).as(someone(properties)).start();
    expect(play.tookEffect).toBe(enters);
    expect(play.state.started).toBe(enters);
  });

  test('targeting looks at the group too (S7, S29)', () => {
    const flow = flowFor({ users: 'matching', when: 'group.properties.beta' });
    expect(new Play(flow).as(someone({}, { beta: true })).start().state.started).toBe(true);
    expect(new Play(flow).as(someone()).start().state.started).toBe(false);
  });

  test('targeting is asked at each request until the user is in (S7)', () => {
    const play = new Play(flowFor(pro)).as(someone({ plan: 'free' })).read();
    expect(play.tookEffect).toBe(false);
    expect(play.as(someone({ plan: 'pro' })).read().tookEffect).toBe(true);
  });

  test('a user stays in when targeting would refuse them now (S7)', () => {
    const play = started(flowFor(pro), someone({ plan: 'pro' }))
      .as(someone({ plan: 'free' }))
      .take('welcome', 'dismiss');
    expect(pictureOf(play.state).welcome).toBe('entered exited [dismiss]');
  });
});

describe('start', () => {
  test('enters everything behind the start, in order (S9)', () => {
    const play = new Play(
      compileFlow({ start: ['b', 'a'], blocks: { a: card(), b: card() } }),
    ).start();
    expect(pictureOf(play.state)).toEqual({
      flow: 'started',
      a: 'active entered',
      b: 'active entered',
    });
    expect(play.events[0]?.changes).toEqual([
      { kind: 'flow', started: true },
      { kind: 'entered', block: 'u-b' },
      { kind: 'entered', block: 'u-a' },
    ]);
  });

  test('force lets in whoever does not qualify, also into an api-only flow (S9)', () => {
    expect(new Play(flowFor(pro)).start(true).state.started).toBe(true);
    expect(new Play(flowFor({ users: 'api-only' })).start(true).state.started).toBe(true);
  });

  const touched: [string, (play: Play) => Play][] = [
    ['started', (play) => play.start()],
    ['stopped', (play) => play.stop()],
    ['finished', (play) => play.finish()],
  ];
  test.each(touched)(
    'has no effect on a flow that is %s, forced or not, nor has a read (S8, S9)',
    (_, touch) => {
      const play = touch(new Play(flowFor({ users: 'all' })));
      const before = play.state;
      for (const again of [() => play.start(), () => play.start(true), () => play.read()]) {
        expect(again().tookEffect).toBe(false);
        expect(play.state).toBe(before);
      }
    },
  );

  test('a read starts exactly as an unforced start does (S8)', () => {
    const flow = flowFor({ users: 'all' });
    expect(new Play(flow).read().events).toEqual(new Play(flow).start().events);
  });
});

describe('reset', () => {
  const definition = {
    target: pro,
    start: ['welcome', 'call'],
    blocks: {
      welcome: card({ complete: 'both', dismiss: 'other' }),
      other: card({ complete: 'both' }),
      call: webhook(),
      both: gate('bye'),
      bye: card(),
    },
  };

  test('clears flags, blocks, transitions and gates and starts again, in one event (S10)', () => {
    const play = started(compileFlow(definition), someone({ plan: 'pro' })).take(
      'welcome',
      'complete',
      'dismiss',
    );
    expect(pictureOf(play.state)).toMatchObject({
      welcome: 'entered exited [complete dismiss]',
      both: 'received welcome',
    });
    play.reset();
    expect(pictureOf(play.state)).toEqual({ flow: 'started', welcome: 'active entered' });
    expect(play.events).toHaveLength(3);
    expect(play.events[2]?.changes[0]).toEqual({ kind: 'cleared' });
    expect(play.effects).toHaveLength(2);
  });

  test('blocks dismissed before can be shown and left again (S10)', () => {
    const play = started(compileFlow(definition), someone({ plan: 'pro' }))
      .take('welcome', 'dismiss')
      .reset();
    expect(activeIn(play.take('welcome', 'dismiss').state)).toEqual(['other']);
  });

  test('leaves a user clean who no longer qualifies (S10)', () => {
    const play = started(compileFlow(definition), someone({ plan: 'pro' }))
      .as(someone())
      .reset();
    expect(play.tookEffect).toBe(true);
    expect(play.state).toEqual(EMPTY_STATE);
  });

  test('with force starts again whoever does not qualify (S10)', () => {
    expect(started(compileFlow(definition)).reset(true).state.started).toBe(true);
  });

  test('takes effect unless the state was empty and stays empty (S6, S10)', () => {
    const play = new Play(compileFlow(definition)).reset();
    expect(play.tookEffect).toBe(false);
    expect(play.state).toBe(EMPTY_STATE);
    expect(play.as(someone({ plan: 'pro' })).reset().tookEffect).toBe(true);
    expect(play.reset().tookEffect).toBe(true);
    expect(play.as(someone()).reset().tookEffect).toBe(true);
    expect(play.reset().tookEffect).toBe(false);
  });

  test.each(['stop', 'finish'] as const)(
    'undoes a %s of a flow never started (S10, S11)',
    (intent) => {
      const play = new Play(compileFlow(definition))[intent]().reset();
      expect(play.tookEffect).toBe(true);
      expect(play.state).toEqual(EMPTY_STATE);
    },
  );

  test('asks branches again, with the properties of that moment (S10, S15)', () => {
    const flow = compileFlow({
      blocks: {
        ask: branch('user.properties.admin', { true: 'a', false: 'b' }),
        a: card(),
        b: card(),
      },
    });
    const play = started(flow, someone({ admin: true }));
    expect(activeIn(play.state)).toEqual(['a']);
    expect(activeIn(play.as(someone()).reset().state)).toEqual(['b']);
  });
});
