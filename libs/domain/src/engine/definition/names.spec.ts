import { describe, expect, test } from '@jest/globals';
import { card, compileFlow, custom, tour, uidOf } from '@waymark/testing/builders';
import type { BlockType } from './definition.js';
import { checkNames, hasOnePath, isLogic, transitionNames } from './names.js';

describe('the transition names of a block', () => {
  const fixed: [BlockType, string[]][] = [
    ['card', ['complete', 'dismiss']],
    ['modal', ['complete', 'dismiss']],
    ['checklist', ['complete', 'dismiss']],
    ['tour', ['complete', 'dismiss']],
    ['hints', ['complete', 'dismiss']],
    ['hintsItem', ['complete', 'dismiss']],
    ['checklistItem', ['complete', 'skip']],
    ['tourItem', ['next', 'previous']],
    ['branch', ['true', 'false']],
    ['gate', ['default']],
    ['delay', ['default']],
    ['webhook', ['default']],
    ['flow-trigger', ['default']],
  ];
  test.each(fixed)('of type %s are %j, whatever its paths (S3)', (type, names) => {
    expect(transitionNames({ type, paths: [] })).toEqual(names);
  });

  test('are one alone where nobody chooses, and none of a user where blocks act by themselves (S2, S3)', () => {
    const types: BlockType[] = [...fixed.map(([type]) => type), 'custom'];
    expect(types.filter(isLogic)).toEqual(['branch', 'gate', 'delay', 'webhook', 'flow-trigger']);
    expect(types.filter(hasOnePath)).toEqual(['gate', 'delay', 'webhook', 'flow-trigger']);
  });

  test('of type split are those of its ways, in the order of the file (S3)', () => {
    const ways = [
      { name: 'short', share: 1 },
      { name: 'constructor', share: 0 },
    ];
    expect(transitionNames({ type: 'split', paths: [], ways })).toEqual(['short', 'constructor']);
  });

  test('of type custom are those of its paths, each once, in the order of the file (S3)', () => {
    const paths = [
      { names: ['no', 'never'], to: 'a' },
      { names: ['constructor', 'no'], to: 'b' },
    ];
    expect(transitionNames({ type: 'custom', paths })).toEqual(['no', 'never', 'constructor']);
    expect(transitionNames({ type: 'custom', paths: [] })).toEqual([]);
    expect(transitionNames({ type: 'custom', paths, names: ['nowhere', 'no'] })).toEqual([
      'nowhere',
      'no',
    ]);
  });
});

describe('the names of a transition', () => {
  const flow = compileFlow({
    blocks: {
      a: card(),
      ask: custom({ 'b,a': 'a', constructor: 'a' }),
      trip: tour(['one']),
      mute: custom(),
    },
  });
  const check = (id: string, ...names: string[]) => {
    const block = flow.byUid.get(uidOf(id));
    if (!block || !('names' in block)) throw new Error(`no exposed block ${id}`);
    return checkNames(block, names);
  };

  test('count once, in the order of the definition (S13)', () => {
    expect(check('ask', 'a', 'b', 'a')).toEqual({ names: ['b', 'a'] });
    expect(check('ask', 'constructor')).toEqual({ names: ['constructor'] });
    expect(check('a', 'dismiss')).toEqual({ names: ['dismiss'] });
  });

  const refusals: [string, string[], string[]][] = [
    ['ask', ['a', 'nope', 'toString'], ['"nope"', '"toString"', 'it has "b", "a", "constructor"']],
    ['a', [''], ['""', 'it has "complete", "dismiss"']],
    ['a', ['Complete'], ['"Complete"']],
    ['a', [], ['at least one name']],
    ['one', ['complete'], ['it has "next", "previous"']],
    ['one', ['next', 'previous'], ['"next" and "previous" in one call']],
    ['mute', ['next'], ['it has none']],
  ];
  test.each(refusals)(
    'of block %s, %j, are refused with what is allowed (S13)',
    (id, names, wording) => {
      const checked = check(id, ...names);
      for (const words of wording)
        expect(checked).toEqual({ problem: expect.stringContaining(words) });
    },
  );
});
