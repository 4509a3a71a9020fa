import { describe, expect, test } from '@jest/globals';
import {
  activeIn,
  type BlockOf,
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  gate,
  pictureOf,
  started,
  someone,
  trigger,
  webhook,
} from '@waymark/testing/builders';

describe('a walk', () => {
  test('follows each path to its end before the next (S12)', () => {
    const play = started(
      compileFlow({
        blocks: {
          ask: card({ complete: ['left', 'right'] }),
          left: webhook(['left-call', 'left-card']),
          'left-call': webhook(),
          'left-card': card(),
          right: webhook(),
        },
      }),
    ).take('ask', 'complete');
    const visited = play.events[1]?.changes
      .slice(2)
      .map((change) => ('block' in change ? change.block : change.kind));
    expect(visited).toEqual(['u-left', 'u-left-call', 'u-left-card', 'u-right']);
    expect(play.effects.map(({ block }) => block)).toEqual(['u-left', 'u-left-call', 'u-right']);
  });

  test('ends at a finish found deep in the first path, so that the second is never walked (S12, S17)', () => {
    const play = started(
      compileFlow({
        blocks: {
          ask: card({ complete: ['call', 'late'] }),
          call: webhook('deep'),
          deep: trigger('tips', 'start', 'finish'),
          late: webhook('shown'),
          shown: card(),
        },
      }),
    ).take('ask', 'complete');
    expect(play.effects.map(({ block }) => block)).toEqual(['u-call', 'u-deep']);
    expect(pictureOf(play.state)).toEqual({
      flow: 'started finished',
      ask: 'entered exited [complete]',
    });
  });

  test('takes all paths of the outcome of a branch, evaluated when reached (S15)', () => {
    const flow = compileFlow({
      blocks: {
        ask: card({ complete: 'admin' }),
        admin: branch('user.properties.admin', { true: ['a', 'b'], false: 'c' }),
        a: card(),
        b: card(),
        c: card(),
      },
    });
    const play = started(flow, someone({ admin: false }))
      .as(someone({ admin: true }))
      .take('ask', 'complete');
    expect(activeIn(play.state)).toEqual(['a', 'b']);
    expect(play.events[1]?.changes).toContainEqual({
      kind: 'branched',
      block: 'u-admin',
      outcome: true,
    });
    expect(activeIn(started(flow).take('ask', 'complete').state)).toEqual(['c']);
  });

  test('an outcome without a path leads nowhere (S15)', () => {
    const play = started(
      compileFlow({
        start: ['ask', 'a'],
        blocks: { ask: branch('false', { true: 'a' }), a: card() },
      }),
    );
    expect(pictureOf(play.state)).toEqual({ flow: 'started', a: 'active entered' });
  });

  test('gives effects in their order, as they stand in the definition (S19)', () => {
    const play = started(
      compileFlow({
        blocks: {
          call: webhook('tips', {
            url: 'https://a.test/',
            headers: { x: '${flow.name}' },
            body: { user: '${user.identifier}' },
          }),
          tips: trigger('tips', 'reset', 'ask', 3),
          ask: card(),
        },
      }),
    );
    expect(play.effects).toEqual([
      {
        kind: 'webhook',
        block: 'u-call',
        url: 'https://a.test/',
        headers: [{ name: 'x', value: '${flow.name}' }],
        body: { user: '${user.identifier}' },
      },
      { kind: 'flow-trigger', block: 'u-tips', flow: 'tips', intent: 'reset', version: 3 },
    ]);
    expect(play.events[0]?.changes.filter(({ kind }) => kind === 'effected')).toHaveLength(2);
    expect(activeIn(play.state)).toEqual(['ask']);
  });

  test('an automatic block acts once in a step, however many paths reach it (S20)', () => {
    const play = started(
      compileFlow({
        start: ['call', 'also', 'ask', 'ask-also'],
        blocks: {
          call: webhook('shared'),
          also: webhook('shared'),
          shared: webhook('a'),
          'ask-also': webhook('ask'),
          ask: branch('true', { true: 'a' }),
          a: card(),
        },
      }),
    );
    expect(play.effects.map(({ block }) => block)).toEqual([
      'u-call',
      'u-shared',
      'u-also',
      'u-ask-also',
    ]);
    expect(play.events[0]?.changes.filter(({ kind }) => kind === 'branched')).toHaveLength(1);
  });

  test('an automatic block acts again in the next step (S20)', () => {
    const play = started(
      compileFlow({ blocks: { ask: custom({ again: 'call' }), call: webhook('ask') } }),
    );
    expect(play.take('ask', 'again').take('ask', 'again').effects).toHaveLength(2);
  });

  test('an active block that is reached stays as it is, a container with its items too (S14)', () => {
    const flow = compileFlow({
      start: ['a', 'list'],
      blocks: { a: custom({ go: ['list', 'a'] }), list: checklist(['one', 'two']) },
    });
    const play = started(flow).take('one', 'complete').take('a', 'go');
    expect(pictureOf(play.state)).toMatchObject({
      list: 'active entered',
      one: 'entered exited [complete]',
      two: 'active entered',
    });
    expect(play.events.at(-1)?.changes.filter(({ kind }) => kind === 'entered')).toEqual([
      { kind: 'entered', block: 'u-a' },
    ]);
  });

  test.each(['webhook', 'branch', 'gate'] as const)(
    'a row of 999 blocks of type %s is walked without exhausting the stack (S20)',
    (type) => {
      const make = {
        webhook: (to: string) => webhook(to),
        branch: (to: string) => branch('true', { true: to }),
        gate: (to: string) => gate(to),
      }[type];
      const blocks: Record<string, BlockOf> = {};
      for (let index = 0; index < 999; index += 1) blocks[`b${index}`] = make(`b${index + 1}`);
      blocks.b999 = card();
      expect(activeIn(started(compileFlow({ blocks })).state)).toEqual(['b999']);
    },
  );

  test('a net in which every block leads to every later one takes no longer than its paths (S20)', () => {
    const ids = Array.from({ length: 14 }, (_, index) => `b${index}`);
    const blocks = Object.fromEntries(ids.map((id, index) => [id, webhook(ids.slice(index + 1))]));
    const play = started(compileFlow({ blocks }));
    expect(play.effects.map(({ block }) => block)).toEqual(ids.map((id) => `u-${id}`));
  });
});
