import { describe, expect, test } from '@jest/globals';
import type { Field } from '../../engine/index.js';
import { parseFlowFile } from './parse-flow-file.js';

function read(type: string, fields: string): { fields: Field[]; problems: string[] } {
  const container = { checklistItem: 'checklist', tourItem: 'tour', hintsItem: 'hints' }[type];
  const block = container
    ? `{ type: ${container}, items: { first: , i: { fields: ${fields} } } }`
    : `{ type: ${type}, fields: ${fields}, paths: ${type === 'custom' ? '{ a: finish }' : '{}'} }`;
  const { draft, problems } = parseFlowFile(`flow: f\nstart: b\nblocks: { b: ${block} }`, {
    file: 'f',
  });
  const read = draft?.blocks[0];
  return {
    fields: read && 'items' in read && container ? read.items[1]!.fields : (read?.fields ?? []),
    problems: problems.map((problem) => problem.message),
  };
}

describe('standard fields', () => {
  test.each([
    ['card', 'title=null body=null complete-label=Complete dismiss-label=Dismiss'],
    ['modal', 'title=null body=null complete-label=Complete dismiss-label=Dismiss'],
    ['checklistItem', 'title=null body=null complete-label=Complete display-index=1'],
    ['tourItem', 'title=null body=null next-label=Next back-label=Back display-index=1'],
    [
      'hintsItem',
      'title=null body=null complete-label=Complete dismiss-all-label=Dismiss display-index=1',
    ],
    ['custom', ''],
  ])('of a %s are always there, in their order (F1)', (type, expected) => {
    expect(
      read(type, '{}')
        .fields.map(({ sid, value }) => `${sid}=${value as string}`)
        .join(' '),
    ).toBe(expected);
  });

  test('come first in their own order, the others as written (F1, S1)', () => {
    const { fields } = read('modal', '{ z: 1, dismiss-label: No, 10: x, title: T }');
    expect(fields.map(({ sid }) => sid)).toEqual([
      'title',
      'body',
      'complete-label',
      'dismiss-label',
      'z',
      '10',
    ]);
  });

  test('can be emptied with a bare null, which others cannot (F1)', () => {
    expect(read('card', '{ complete-label: , body: null }').fields[2]).toEqual({
      sid: 'complete-label',
      type: 'string',
      value: null,
    });
    expect(read('custom', '{ a: null }').problems).toEqual([
      'field a has no value, so its type is unknown; write it long: {type: string, value: null}',
    ]);
    expect(read('custom', '{ a: { type: number, value: null } }').fields).toEqual([
      { sid: 'a', type: 'number', value: null },
    ]);
  });

  test('that are misspelt are warned about, and others are not (S4)', () => {
    expect(read('card', '{ titel: T, completeLabel: Go }').problems).toEqual([
      '"titel" is a field of its own; did you mean "title"?',
      '"completeLabel" is a field of its own; did you mean "complete-label"?',
    ]);
    expect(read('card', '{ title: T, title2: U, bode: x, body: y, subtitle: z }').problems).toEqual(
      [],
    );
    expect(read('tourItem', '{ display-indx: 3 }').problems).toEqual([]);
    expect(read('custom', '{ titel: T }').problems).toEqual([]);
  });

  test('of another type than the standard one are refused, with how to write them (F1)', () => {
    expect(read('card', '{ title: 2024 }').problems).toEqual([
      'field title of a card is text (string), not a number; as text it is written "2024"',
    ]);
    expect(read('card', '{ body: { type: string, value: x } }').problems).toHaveLength(1);
    expect(read('card', '{ title: [ { text: x } ] }').problems).toHaveLength(1);
  });

  test('display-index cannot be given to an item (F1)', () => {
    expect(read('tourItem', '{ display-index: 7 }').problems).toEqual([
      'display-index cannot be given; it follows from the order of the items',
    ]);
  });
});

describe('the type of a field', () => {
  test('follows its value (F1)', () => {
    const { fields } = read(
      'custom',
      '{ s: a, q: "1", n: 0x10, b: true, no: no, r: [ { text: x } ], l: { type: richText, value: "*x*" } }',
    );
    expect(fields.map(({ sid, type, value }) => [sid, type, value])).toEqual([
      ['s', 'string', 'a'],
      ['q', 'string', '1'],
      ['n', 'number', 16],
      ['b', 'boolean', true],
      ['no', 'string', 'no'],
      ['r', 'richText', [{ text: 'x' }]],
      ['l', 'richText', [{ type: 'paragraph', children: [{ text: 'x', italic: true }] }]],
    ]);
  });

  test('has one zero only, as JSON has', () => {
    expect(
      read('custom', '{ a: -0, b: { type: number, value: -0.0 } }').fields.map(({ value }) =>
        Object.is(value, 0),
      ),
    ).toEqual([true, true]);
  });

  test.each([
    ['{ a: .inf }', '.inf is not a number that JSON can hold'],
    ['{ a: 1e400 }', '1e400 is not a number that JSON can hold'],
    ['{ a: { type: number, value: "1" } }', 'field a is a number, not the text "1"'],
    [
      '{ a: { type: txt, value: 1 } }',
      'no field type "txt"; there are string, number, boolean and richText',
    ],
    ['{ a: { type: string } }', 'field a needs a value; null empties it'],
    [
      '{ a: { value: x } }',
      'field a is a map, so it needs type and value: {type: string, value: …}',
    ],
    [
      '{ a: { type: string, value: x, valeu: 1 } }',
      'field a has no key "valeu"; did you mean "value"?',
    ],
    ['{ "": x }', 'a field needs a name'],
    ['[ a ]', 'expected fields as a map of names to values, not a list'],
  ])('%s is refused: %s (F1)', (fields, problem) => {
    expect(read('custom', fields).problems).toEqual([problem]);
  });
});

describe('rich text nodes', () => {
  test('are kept as they are written (F2)', () => {
    const nodes = [
      {
        type: 'heading-two',
        align: 'center',
        children: [{ text: 'Hello', bold: true, code: false }],
      },
      { type: 'bulleted-list', children: [{ type: 'list-item', children: [{ text: 'a' }] }] },
      {
        type: 'paragraph',
        children: [
          { type: 'link', url: 'https://a.test', children: [{ text: 'b', underline: true }] },
        ],
      },
      { type: 'video', url: 'https://a.test/v', width: '100%', children: [{ text: '' }] },
      { text: 'loose' },
    ];
    expect(read('card', JSON.stringify({ body: nodes })).fields[1]!.value).toEqual(nodes);
  });

  test.each([
    [
      '[ hello ]',
      'a rich text node is {text: …} or {type: …, children: […]}, not the text "hello"',
    ],
    ['[ { text: a, bolt: true } ]', 'a text node has no key "bolt"; did you mean "bold"?'],
    ['[ { text: a, bold: yes } ]', 'bold is true or false, not the text "yes"'],
    [
      '[ { type: paragraf, children: [] } ]',
      'no rich text node "paragraf"; did you mean "paragraph"?',
    ],
    ['[ { type: link, children: [] } ]', 'link needs a url'],
    ['[ { type: paragraph } ]', 'paragraph needs children: a list of rich text nodes'],
    [
      '[ { type: numbered-list, children: [ { text: a } ] } ]',
      'numbered-list holds only list-item nodes',
    ],
    [
      '[ { type: image, url: a, children: [ { type: paragraph, children: [] } ] } ]',
      'image holds only text',
    ],
    [
      '[ { type: paragraph, align: middle, children: [] } ]',
      'align is left, center, right or justify, not "middle"',
    ],
    ['[ { bold: true } ]', 'a rich text node needs text, or a type and children'],
  ])('%s is refused: %s (F2)', (body, problem) => {
    expect(read('card', `{ body: ${body} }`).problems).toEqual([problem]);
  });

  test.each([
    'https://a.test',
    'HTTP://a.test',
    'mailto:a@b.test',
    'tel:+1',
    '/a',
    'a:b/c'.slice(2),
    '#a',
    '?a=b:c',
    '',
    '//a.test',
  ])('a link may lead to %s (F2)', (url) => {
    expect(read('card', `{ body: ${JSON.stringify(`[a](<${url}>)`)} }`).problems).toEqual([]);
    expect(
      read('card', JSON.stringify({ body: [{ type: 'link', url, children: [{ text: 'a' }] }] }))
        .problems,
    ).toEqual([]);
  });

  test.each([
    ['javascript:alert(1)', 'javascript'],
    ['JavaScript&#58;alert(1)', 'javascript'],
    ['data:text/html,x', 'data'],
    ['vbscript:x', 'vbscript'],
  ])('a link in Markdown does not lead to %s (F2)', (url, scheme) => {
    const problem = `the address of a link is relative or begins with http, https, mailto or tel, not with ${scheme}:`;
    for (const markdown of [`[a](${url})`, `- **x** [a][r]\n\n[r]: ${url}`])
      expect(read('card', `{ body: ${JSON.stringify(markdown)} }`).problems).toEqual([problem]);
  });

  test.each(['javascript:alert(1)', ' java\nscript:alert(1)', '\u0001javascript:alert(1)'])(
    'a link node does not lead to %j (F2)',
    (url) => {
      const nodes = [
        { type: 'paragraph', children: [{ type: 'link', url, children: [{ text: 'a' }] }] },
      ];
      expect(read('card', JSON.stringify({ body: nodes })).problems).toEqual([
        expect.stringContaining('not with javascript:'),
      ]);
    },
  );

  test('nest 32 levels and no deeper (F2)', () => {
    const nested = (levels: number) =>
      '[{type: paragraph, children: '.repeat(levels - 1) + '[{text: x}]' + '}]'.repeat(levels - 1);
    expect(read('card', `{ body: ${nested(32)} }`).problems).toEqual([]);
    expect(read('card', `{ body: ${nested(33)} }`).problems).toEqual([
      'rich text nests at most 32 levels deep',
    ]);
  });
});

test('Markdown has at most 5,000 characters, which are soon read whatever they are (F2)', () => {
  const written = (length: number) =>
    read('card', `{ body: "${'*_'.repeat(length / 2)}" }`).problems;
  expect(written(5000)).toEqual([]);
  expect(written(40_000)).toEqual(['Markdown has at most 5000 characters, not 40000']);
});
