import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { put, remove, renameKey, renameTargets, swapWithNext, textValue } from './edits.js';
import { FlowText, type Place } from './flow-text.js';

const FOLDER = 'examples/flows';
const EXAMPLES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(`${FOLDER}/${file}`, 'utf8'));
const ODD = [
  '# first\nflow: a   # why\n\nstart: x\nblocks:\n    x:\n        type: card\n        fields:\n            title: "A"   # t\n\n            body: |+\n                one\n\n                two\n\n        paths: {complete: y, dismiss: [y,   finish]}\n    # about y\n    y: { type: card, fields: {title: T}, paths: {} }\n',
  '{"flow": "j", "start": "x", "blocks": {"x": {"type": "card", "paths": {"complete": "finish"}}}}',
  'flow: e\nstart: x\nblocks:\n  x:\n    type: custom\n    fields:\n    paths:\n      "a,b": finish\n      true: [x]\n',
];

/** Every place with a value of its own. */
function placesOf(value: unknown, above: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [above];
  const entries = Object.entries(value);
  return entries.length === 0
    ? [above]
    : entries.flatMap(([key, inner]) => placesOf(inner, [...above, key]));
}

function withValue(value: unknown, [key, ...rest]: Place, put: unknown): unknown {
  if (key === undefined) return put;
  const before = (value ?? {}) as Record<string, unknown>;
  return { ...before, [key]: withValue(before[key], rest, put) };
}

function without(value: unknown, [key, ...rest]: Place): unknown {
  const before = { ...(value as Record<string, unknown>) };
  if (rest.length === 0) delete before[key!];
  else before[key!] = without(before[key!], rest);
  return before;
}

/** Lines that differ, without what is equal before and behind them. */
function changedLines(before: string, after: string): [string[], string[]] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  while (a.length > 0 && b.length > 0 && a[0] === b[0]) {
    a.shift();
    b.shift();
  }
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
  }
  return [a, b];
}

/** Lines that a place is written on. */
function linesOf(text: string, place: Place): string[] {
  const source = FlowText.of(text);
  const { pair } = source.entry(place)!;
  const end = source.endOf(pair.value, source.colonAfter(pair.key) + 1);
  const from = text.lastIndexOf('\n', pair.key.range![0] - 1) + 1;
  const to = text.indexOf('\n', end);
  return text.slice(from, to < 0 ? undefined : to).split('\n');
}

const texts = fc.constantFrom(...EXAMPLES, ...ODD);
const values = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    'null',
    '007',
    '1e3',
    '- x',
    'a: b',
    'a # b',
    '#',
    '"',
    "'",
    '|',
    '*a',
    'ünï',
    ' x',
    'x ',
    'a\nb',
    'a\n\n  b\n',
    '\n',
    '@',
    '`',
    '%',
    '? x',
    '{a}',
    '[a]',
    ', ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

describe('edits of the text of a flow file (T9)', () => {
  test('a value that is written anew reads as it was given, and every other line stays byte-equal', () => {
    fc.assert(
      fc.property(texts, values, fc.nat(), (text, value, nth) => {
        const places = placesOf(parse(text));
        const place = places[nth % places.length]!;
        const after = put(text, place, textValue(value));
        expect(parse(after)).toEqual(withValue(parse(text), place, value));
        const [taken] = changedLines(text, after);
        expect(linesOf(text, place).join('\n')).toContain(taken.join('\n'));
      }),
    );
  });

  test('a key that is added reads as it was given, and every line that was there stays byte-equal or grows', () => {
    fc.assert(
      fc.property(texts, values, fc.nat(), fc.boolean(), (text, value, nth, isDeep) => {
        const above = placesOf(parse(text)).map((place) => place.slice(0, -1))[
          nth % placesOf(parse(text)).length
        ]!;
        const place = [...above, 'added', ...(isDeep ? ['deep'] : [])];
        const after = put(text, place, textValue(value));
        expect(parse(after)).toEqual(withValue(parse(text), place, value));
        expect(changedLines(text, after)[0].length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('an entry that is taken away takes its lines along and no other', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, nth) => {
        const places = placesOf(parse(text)).filter(
          (place) => FlowText.of(text).keys(place.slice(0, -1)).length > 1,
        );
        const place = places[nth % places.length]!;
        const after = remove(text, place);
        expect(parse(after)).toEqual(without(parse(text), place));
        expect(linesOf(text, place).length).toBeGreaterThanOrEqual(
          changedLines(text, after)[0].length,
        );
      }),
    );
  });

  test('neighbours that change places change nothing else, and changing back gives the very text', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, nth) => {
        const blocks = FlowText.of(text).keys(['blocks']);
        const index = nth % blocks.length;
        const after = swapWithNext(text, ['blocks', blocks[index]!]);
        expect(parse(after)).toEqual(parse(text));
        if (index + 1 < blocks.length)
          expect(swapWithNext(after, ['blocks', blocks[index + 1]!])).toBe(text);
      }),
    );
  });

  const ALIASED =
    'flow: a\nlanguages:\n  fr: &fr\n    one:\n      title: Un # checked\n      note: |\n        a\n\n        b\n    two: { title: &t 007 }\n  pt: *fr\n  it: { one: *fr, two: { title: *t } }\n';

  test.each<[string, Place]>([
    ['an entry of it', ['languages', 'pt', 'one', 'title']],
    ['an entry that is added to it', ['languages', 'pt', 'one', 'more']],
    ['an alias between braces', ['languages', 'it', 'one', 'one', 'note']],
    ['the alias itself', ['languages', 'it', 'two', 'title']],
  ])('behind an alias %s changes there alone', (_, place) => {
    const after = put(ALIASED, place, textValue('new'));
    expect(parse(after)).toEqual(withValue(parse(ALIASED), place, 'new'));
    expect(changedLines(ALIASED, after)[0]).toHaveLength(1);
    const kept = FlowText.of(after).value(['languages', 'pt', 'two', 'title']);
    expect(kept).toBe('007');
  });

  test('behind an alias an entry is taken away and renamed there alone', () => {
    const place = ['languages', 'pt', 'one', 'note'];
    expect(parse(remove(ALIASED, place))).toEqual(without(parse(ALIASED), place));
    const renamed = parse(renameKey(ALIASED, place, 'body')) as typeof ALIASED;
    expect(renamed).toMatchObject({
      languages: { fr: { one: { note: 'a\n\nb\n' } }, pt: { one: { body: 'a\n\nb\n' } } },
    });
  });

  test('lines that are added end as those of the file do', () => {
    const windows = ODD[0]!.replaceAll('\n', '\r\n');
    const added = put(windows, ['blocks', 'x', 'fields', 'more', 'deep'], textValue('a\nb'));
    expect(added).toBe(
      put(ODD[0]!, ['blocks', 'x', 'fields', 'more', 'deep'], textValue('a\nb')).replaceAll(
        '\n',
        '\r\n',
      ),
    );
    expect(remove(added, ['blocks', 'x', 'fields', 'more'])).toBe(windows);
  });

  test('JSON stays JSON, on one line or on many, and keeps the lines that it has', () => {
    const compact = ODD[1]!;
    const folded = `${JSON.stringify(JSON.parse(compact), null, 4)}\n`.replace(
      /"paths": [^}]*}/,
      '"paths": { "complete": "finish" }',
    );
    for (const text of [compact, folded]) {
      const place = ['languages', 'de', 'x', 'title'];
      const after = put(text, place, textValue('true'));
      expect(JSON.parse(after)).toEqual(withValue(JSON.parse(text), place, 'true'));
      expect(changedLines(text, after)[0].length).toBeLessThanOrEqual(1);
      const again = put(after, ['languages', 'de', 'y', 'title'], textValue('ä\nb'));
      expect(JSON.parse(again)).toMatchObject({ languages: { de: { y: { title: 'ä\nb' } } } });
      expect(again.split('\n').length > 1).toBe(text === folded);
    }
  });

  test('a block that is renamed is renamed wherever a path leads to it', () => {
    const text = EXAMPLES.find((one) => one.includes('flow: feedback'))!;
    const after = renameTargets(renameKey(text, ['blocks', 'score'], 'rating'), 'score', 'rating');
    expect(changedLines(text, after)[0].length).toBeGreaterThan(1);
    expect(after.split('\n').filter((line, index) => line !== text.split('\n')[index])).toEqual([
      'start: rating',
      '  rating:',
      '      back: rating # a block can be shown again',
    ]);
  });

  test('a target behind an alias is renamed, and not the text that it stood for', () => {
    const text =
      'flow: a\nstart: x\nblocks:\n  x: { type: card, fields: { title: &y y }, paths: { complete: *y } }\n  y: { type: gate, next: finish }\n';
    expect(renameTargets(text, 'y', 'z')).toBe(text.replace('*y', 'z'));
  });

  test('keys and targets are the very texts written', () => {
    const text =
      'flow: a\nstart: 10\nblocks:\n  10: { type: branch, when: x, paths: { true: 007, false: no } }\n';
    const source = FlowText.of(text);
    expect([
      source.list(['start']),
      source.keys(['blocks']),
      source.list(['blocks', '10', 'paths', 'true']),
    ]).toEqual([['10'], ['10'], ['007']]);
    expect(put(text, ['blocks', '10', 'paths', 'false'], 'yes')).toBe(
      text.replace('false: no', 'false: yes'),
    );
  });
});
