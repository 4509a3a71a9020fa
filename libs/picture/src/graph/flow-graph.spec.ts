import { describe, expect, test } from '@jest/globals';
import {
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  defineFlow,
  delay,
  doneBy,
  gate,
  modal,
  Play,
  split,
  trigger,
  webhook,
} from '@waymark/testing/builders';
import { graphOf } from './flow-graph.js';

const flow = {
  start: ['hello', 'list'],
  blocks: {
    hello: modal({ complete: 'both', dismiss: 'finish' }),
    list: checklist(['a', 'b'], { complete: 'both' }),
    both: gate('constructor'),
    constructor: custom({ done: 'finish' }),
  },
};

/** Status of every node and item by its identifier. */
function statuses(play: Play): Record<string, string | undefined> {
  const { nodes } = graphOf(play.flow.definition, play);
  return Object.fromEntries(
    nodes.flatMap((node) => [node, ...node.items]).map(({ id, status }) => [id, status]),
  );
}

describe('a graph', () => {
  test('has the start, every block in order and the finish that is led to (S1)', () => {
    const { nodes } = graphOf(defineFlow(flow));
    expect(nodes.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      'start start',
      'modal hello',
      'checklist list',
      'gate both',
      'custom constructor',
      'finish finish',
    ]);
    expect(graphOf(defineFlow({ blocks: { a: card() } })).nodes.map(({ id }) => id)).toEqual([
      'start',
      'a',
    ]);
  });

  test('says of blocks and items that they are done by themselves (Z1)', () => {
    const { nodes } = graphOf(
      defineFlow({
        blocks: {
          list: doneBy({ a: 'true' }, checklist(['a', 'b'], { complete: 'own' })),
          own: doneBy('true', card()),
        },
      }),
    );
    const details = nodes.flatMap(({ detail, items }) => [detail, ...items.map((i) => i.detail)]);
    expect(details.filter(Boolean)).toEqual(['done by itself', 'done by itself']);
  });

  test('says how long a delay waits, and until when it does for a user, in whose zone it is looked at (T16, Z4)', () => {
    const nodeOf = (play?: Play, zone?: string) =>
      graphOf(defineFlow({ blocks: { wait: delay([], 90 * 60_000) } }), {
        ...(play && { state: play.state }),
        ...(zone !== undefined && { zone }),
      }).nodes[1];
    expect(nodeOf()).toMatchObject({ kind: 'delay', detail: 'waits 90 minutes' });
    const play = new Play(compileFlow({ blocks: { wait: delay([], 90 * 60_000) } })).start();
    expect(nodeOf(play)).toMatchObject({
      status: 'waiting',
      detail: 'waits 90 minutes, until 2030-01-01 01:30 UTC',
    });
    expect(nodeOf(play, 'Europe/Berlin')).toMatchObject({
      detail: 'waits 90 minutes, until 2030-01-01 02:30 CET',
    });
    expect(nodeOf(play.stop())).toMatchObject({ status: 'automatic' });
  });

  test('says the zone of dates, which is UTC where they name none (Z8)', () => {
    const target = { users: 'all', from: '2026-12-01', until: '2026-12-24T18:00+01:00' } as const;
    const { summary } = graphOf({
      ...defineFlow({ target, blocks: { a: card() } }),
      end: '2027-01-01T10:00',
    });
    expect(summary).toBe(
      'for all users, from 2026-12-01 UTC, until 2026-12-24T18:00+01:00, ends 2027-01-01T10:00 UTC',
    );
  });

  test('has one edge from a block to another, with the names of all its paths (S1)', () => {
    const blocks = { a: custom({ 'x,y': ['b', 'a'], z: 'b', x: 'b' }), b: gate('a') };
    expect(graphOf(defineFlow({ blocks })).edges).toEqual([
      { from: 'start', to: 'a', names: [] },
      { from: 'a', to: 'b', names: ['x', 'y', 'z'] },
      { from: 'a', to: 'a', names: ['x', 'y'] },
      { from: 'b', to: 'a', names: [] },
    ]);
  });

  test('says at the ways of a split what they have of all shares (K2)', () => {
    const blocks = {
      a: split({ short: 45, long: 15, none: 7 }, { short: 'b', long: 'b', none: 'finish' }),
      b: card(),
    };
    expect(graphOf(defineFlow({ blocks })).edges.slice(1)).toEqual([
      { from: 'a', to: 'b', names: ['short 67.2 %', 'long 22.4 %'] },
      { from: 'a', to: 'finish', names: ['none 10.4 %'] },
    ]);
  });

  test('says a condition in words, or as it is written where rows cannot say it (T15)', () => {
    const [words, code] = ['includes(user.properties.roles, "Admin")', 'user.properties.a + 1 > 2'];
    const graphs = [words, code].map((when) =>
      graphOf(
        defineFlow({
          target: { users: 'matching', when },
          blocks: { a: branch(when) },
        }),
      ),
    );
    expect(graphs.map(({ summary, nodes }) => [summary, nodes[1]!.detail])).toEqual([
      ['for users who match: roles contains Admin', 'roles contains Admin'],
      [`for users who match: ${code}`, code],
    ]);
  });

  test('has the title of a block before its identifier, and otherwise what it does behind it (T16)', () => {
    const field = (sid: string, value: string) => ({ sid, type: 'string' as const, value });
    const blocks = {
      a: custom({}, [
        field('complete-label', 'OK'),
        field('question', 'How?'),
        field('title', 'Title'),
      ]),
      b: custom({}, [field('complete-label', 'OK'), field('question', 'How?')]),
      c: branch('user.properties.x'),
      d: webhook([], { url: 'https://a.test/b' }),
      e: trigger('g', 'stop', [], 3),
    };
    const { nodes } = graphOf(defineFlow({ blocks }));
    expect(nodes.slice(1).map(({ label, detail }) => [label, detail])).toEqual([
      ['Title', 'a'],
      ['b', 'How?'],
      ['c', 'x is yes'],
      ['d', 'a.test/b'],
      ['e', 'stop g (version 3)'],
    ]);
  });
});

describe('a graph with a state', () => {
  test('tells where its user is in every block and item (S5, S14, S16)', () => {
    const play = new Play(compileFlow(flow));
    expect(statuses(play)).toMatchObject({
      start: 'not entered',
      hello: 'not entered',
      both: 'automatic',
      constructor: 'not entered',
    });
    play.start().take('hello', 'complete').take('a', 'complete');
    expect(statuses(play)).toEqual({
      start: 'exited',
      hello: 'exited',
      list: 'active',
      a: 'exited',
      b: 'active',
      both: 'waiting',
      constructor: 'not entered',
      finish: 'not entered',
    });
    play.take('b', 'skip');
    expect(statuses(play)).toMatchObject({ both: 'automatic', constructor: 'active' });
    play.stop();
    expect(statuses(play)).toMatchObject({ constructor: 'entered', finish: 'not entered' });
    play.finish();
    expect(statuses(play)).toMatchObject({ constructor: 'entered', finish: 'finished' });
  });

  test('says in words who enters and how far the user has come (S7, S11)', () => {
    const play = new Play(compileFlow({ ...flow, target: { users: 'matching', when: 'true' } }));
    const summary = () => graphOf(play.flow.definition, play).summary;
    expect(summary()).toBe('for users who match: true · this user: not started');
    play.start();
    expect(summary()).toMatch(/in progress$/);
    play.stop();
    expect(summary()).toMatch(/stopped$/);
    expect(graphOf(play.flow.definition).summary).toBe('for users who match: true');
  });
});
