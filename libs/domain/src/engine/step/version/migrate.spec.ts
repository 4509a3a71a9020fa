import { describe, expect, test } from '@jest/globals';
import {
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  deepFreeze,
  pictureOf,
  Play,
  someone,
  started,
  webhook,
} from '@waymark/testing/builders';
import { fold } from '../../state/fold.js';
import { migrate } from './migrate.js';
import { MIGRATION_STRATEGIES, type MigrationStrategy } from '../../state/migration-strategy.js';
import { EMPTY_STATE, type FlowState } from '../../state/state.js';

const older = compileFlow({
  blocks: {
    a: card({ complete: ['list', 'gone'] }),
    list: checklist(['one', 'two']),
    gone: card(),
  },
});
const newer = compileFlow({
  target: { users: 'api-only' },
  start: ['a', 'call'],
  blocks: {
    a: card({ complete: 'list' }),
    list: checklist(['one', 'two', 'three']),
    call: webhook(),
  },
});

const states = {
  clean: EMPTY_STATE,
  running: started(older).take('a', 'complete').take('one', 'skip').state,
  'running in what is gone': started(older).take('a', 'complete').take('list', 'dismiss').state,
  stopped: started(older).take('a', 'complete').stop().state,
  finished: started(older).take('a', 'complete').finish().state,
  'stopped before starting': new Play(older).stop().state,
  'finished before starting': new Play(older).finish().state,
} satisfies Record<string, FlowState>;

const fresh = { flow: 'started', a: 'active entered' };
const kept = { a: 'entered exited [complete]', list: 'entered', one: 'entered', two: 'entered' };
const table: Record<MigrationStrategy, Record<keyof typeof states, Record<string, string>>> = {
  'carry-over': {
    clean: { flow: '' },
    running: {
      flow: 'started',
      a: 'entered exited [complete]',
      list: 'active entered',
      one: 'entered exited [skip]',
      two: 'active entered',
      three: 'active entered',
    },
    'running in what is gone': fresh,
    stopped: { flow: 'started stopped', ...kept },
    finished: { flow: 'started finished', ...kept },
    'stopped before starting': { flow: 'stopped' },
    'finished before starting': { flow: 'finished' },
  },
  'restart-in-progress': {
    clean: { flow: '' },
    running: fresh,
    'running in what is gone': fresh,
    stopped: { flow: 'started stopped' },
    finished: { flow: 'started finished' },
    'stopped before starting': { flow: 'stopped' },
    'finished before starting': { flow: 'finished' },
  },
  'restart-all': {
    clean: { flow: '' },
    running: fresh,
    'running in what is gone': fresh,
    stopped: fresh,
    finished: fresh,
    'stopped before starting': { flow: 'stopped' },
    'finished before starting': { flow: 'finished' },
  },
  'stop-in-progress': {
    clean: { flow: '' },
    running: { flow: 'started stopped' },
    'running in what is gone': { flow: 'started stopped' },
    stopped: { flow: 'started stopped' },
    finished: { flow: 'started finished' },
    'stopped before starting': { flow: 'stopped' },
    'finished before starting': { flow: 'finished' },
  },
};

describe.each(MIGRATION_STRATEGIES)('migration by %s', (strategy) => {
  const run = (state: FlowState) =>
    migrate(newer, deepFreeze({ version: 1, state }), strategy, someone());

  test.each(Object.entries(table[strategy]))('of a user who is %s (S28)', (name, expected) => {
    const step = run(states[name as keyof typeof states]);
    expect(pictureOf(step.state)).toEqual(expected);
    expect(step.effects).toHaveLength(expected === fresh ? 1 : 0);
  });

  test.each(Object.keys(states))(
    'is one event of its own that folds to the state of a user who is %s, none for an empty result (S6, S28)',
    (name) => {
      const { state, event } = run(states[name as keyof typeof states]);
      if (name === 'clean') return expect([event, state]).toEqual([null, EMPTY_STATE]);
      expect(event?.cause).toEqual({ kind: 'migrated', from: 1, strategy });
      expect(fold(event ? [event] : [])).toEqual(state);
    },
  );
});

describe('carry-over', () => {
  const carry = (state: FlowState, to: typeof older) =>
    migrate(to, { version: 4, state }, 'carry-over', someone());

  test('adapts what survives as an edit does, where somebody is in progress (S27, S28)', () => {
    const before = compileFlow({
      blocks: { list: checklist(['one', 'two'], { complete: 'after' }), after: card() },
    });
    const after = compileFlow({
      blocks: { list: checklist(['one'], { complete: 'after' }), after: card() },
    });
    const play = started(before).take('one', 'complete');
    expect(pictureOf(carry(play.state, after).state)).toMatchObject({
      list: 'entered exited [complete]',
      after: 'active entered',
    });
    expect(pictureOf(carry(play.stop().state, after).state)).toMatchObject({
      flow: 'started stopped',
      list: 'entered',
    });
  });

  test('records what was taken over, cut down to what survives (S28)', () => {
    const before = compileFlow({
      start: ['a', 'b'],
      blocks: { a: custom({ x: 'finish', y: 'b' }), b: card() },
    });
    const after = compileFlow({ start: ['a', 'b'], blocks: { a: custom({ x: 'b' }), b: card() } });
    const { state, event } = carry(started(before).take('a', 'y').state, after);
    expect(event?.changes).toEqual([{ kind: 'carried', state }]);
    expect(pictureOf(state)).toEqual({ flow: 'started', a: 'entered exited', b: 'active entered' });
  });

  test('forgets a hundred thousand blocks in one go: their number counts once, not once for each (S28)', () => {
    const gone = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`gone-${index}`, { entered: true } as const]),
    );
    const { running } = states;
    expect(carry({ ...running, blocks: { ...gone, ...running.blocks } }, older).state).toEqual(
      running,
    );
  });

  test('restarts through the branches of the new version, with the properties of that moment (S15, S28)', () => {
    const after = compileFlow({
      blocks: {
        ask: branch('user.properties.admin', { true: 'x', false: 'y' }),
        x: card(),
        y: card(),
      },
    });
    const { state } = migrate(
      after,
      { version: 1, state: states.running },
      'carry-over',
      someone({ admin: true }),
    );
    expect(pictureOf(state)).toEqual({ flow: 'started', x: 'active entered' });
  });

  test('goes on from the migrated state with the next command (S28)', () => {
    const play = new Play(newer)
      .keep(carry(states.running, newer))
      .take('two', 'complete')
      .take('three', 'complete');
    expect(play.state.finished).toBe(true);
    expect(fold(play.events)).toEqual(play.state);
  });
});
