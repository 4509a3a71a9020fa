import { describe, expect, test } from '@jest/globals';
import {
  type BlockOf,
  branch,
  card,
  checklist,
  custom,
  defineFlow,
  gate,
  webhook,
} from '@waymark/testing/builders';
import { checkDefinition } from '../check-definition.js';

const closed = (blocks: Record<string, BlockOf>, start?: string[]) =>
  checkDefinition(defineFlow({ blocks, ...(start && { start }) }))
    .filter(({ code }) => code === 'gate.never-opens')
    .map(({ place }) => place[1]);

describe('a gate can never open', () => {
  const cases: [string, Record<string, BlockOf>, string[]?][] = [
    [
      'whose inputs lie behind opposite outcomes of one branch',
      {
        ask: branch('true', { true: 'a', false: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'whose inputs lie further behind them',
      {
        ask: branch('true', { true: 'w', false: 'b' }),
        w: webhook('a'),
        a: card({ complete: 'c', dismiss: 'c' }),
        c: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'whose inputs lie behind different names of one block',
      {
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: webhook('g'),
        g: gate(),
      },
    ],
    [
      'whose inputs lie behind different names of one container',
      {
        ask: checklist(['i'], { complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'where one input is the fork itself',
      { ask: card({ complete: 'g', dismiss: 'b' }), b: card({ complete: 'g' }), g: gate() },
    ],
    [
      'where no single name of three brings all inputs',
      {
        ask: custom({ 'x,y': 'a', 'y,z': 'b', 'z,x': 'c' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        c: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'where a third input can always come',
      {
        ask: branch('true', { true: 'a', false: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        c: card({ complete: 'g' }),
        g: gate(),
      },
      ['ask', 'c'],
    ],
    [
      'whose fork is reached by opposite ways, so once all the same',
      {
        first: branch('true', { true: 'l', false: 'r' }),
        l: card({ complete: 'ask' }),
        r: card({ complete: 'ask' }),
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'whose fork lies behind another gate',
      {
        l: card({ complete: 'h' }),
        r: card({ complete: 'h' }),
        h: gate('ask'),
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
      ['l', 'r'],
    ],
    [
      'when only the way behind it leads back to the fork',
      {
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate('ask'),
      },
    ],
    [
      'that waits for a block behind itself',
      { a: card({ complete: 'g' }), g: gate('b'), b: card({ complete: 'g' }) },
    ],
  ];
  test.each(cases.map(([title, blocks, start]) => ({ title, blocks, start })))(
    '$title (S4, S16)',
    ({ blocks, start }) => {
      expect(closed(blocks, start)).toEqual(['g']);
    },
  );
});

describe('a gate can open', () => {
  const cases: [string, Record<string, BlockOf>, string[]?][] = [
    [
      'whose inputs run side by side',
      {
        ask: branch('true', { true: ['a', 'b'], false: 'finish' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'whose inputs lie behind one name, though on several paths',
      {
        ask: custom({ 'x,y': 'a', 'y,z': 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'with one input that several ways lead to',
      {
        ask: branch('true', { true: 'a', false: 'a' }),
        a: card({ complete: 'g', dismiss: 'g' }),
        g: gate(),
      },
    ],
    [
      'with the branch itself as its one input',
      { ask: branch('true', { true: 'g', false: 'g' }), g: gate() },
    ],
    [
      'whose fork can be taken again by a way back',
      {
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: custom({ ok: 'g', back: 'ask' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'whose branch is reached again by a way back',
      {
        ask: branch('true', { true: 'a', false: 'b' }),
        a: custom({ ok: 'g', back: 'ask' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'whose fork is reached twice by ways side by side',
      {
        l: card({ complete: 'ask' }),
        r: card({ complete: 'ask' }),
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
      ['l', 'r'],
    ],
    [
      'whose fork is reached again and again by a block that loops',
      {
        l: custom({ more: ['ask', 'l'] }),
        ask: card({ complete: 'a', dismiss: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    [
      'when an input can also be reached around the fork',
      {
        ask: branch('true', { true: 'a', false: 'b' }),
        a: card({ complete: 'g' }),
        b: card({ complete: 'g' }),
        c: card({ complete: 'a' }),
        g: gate(),
      },
      ['ask', 'c'],
    ],
    [
      'when a circle of two ways in leads around the fork',
      {
        ask: card({ complete: 'a', dismiss: 'c' }),
        a: custom({ ok: 'g', on: 'b' }),
        b: custom({ back: 'a' }),
        c: card({ complete: 'g' }),
        g: gate(),
      },
      ['ask', 'b'],
    ],
    [
      'when the other source is reached by nothing and does not count',
      {
        ask: branch('true', { true: 'a', false: 'finish' }),
        a: card({ complete: 'g' }),
        lost: card({ complete: 'g' }),
        g: gate(),
      },
    ],
    ['that the start and a block lead to', { a: card({ complete: 'g' }), g: gate() }, ['g', 'a']],
  ];
  test.each(cases.map(([title, blocks, start]) => ({ title, blocks, start })))(
    '$title (S4, S16)',
    ({ blocks, start }) => {
      expect(closed(blocks, start)).toEqual([]);
    },
  );
});

test('a gate that nothing reaches is warned about once, for that (S4)', () => {
  const problems = checkDefinition(
    defineFlow({ start: ['a'], blocks: { a: card(), g: gate('g2'), g2: gate() } }),
  );
  expect(problems.map(({ code }) => code)).toEqual(['block.unreachable', 'block.unreachable']);
});

test('the reason names the inputs and what keeps them apart (S4)', () => {
  const blocks = {
    ask: branch('true', { true: 'a', false: 'b' }),
    a: card({ complete: 'g' }),
    b: card({ complete: 'g' }),
    g: gate(),
  };
  expect(checkDefinition(defineFlow({ blocks }))).toMatchObject([
    {
      message:
        'gate g can never open: it waits for card a and card b, which lie behind opposite outcomes of branch ask, and that is left only once',
    },
  ]);
});
