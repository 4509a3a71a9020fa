import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { parseMarkdown } from './markdown.js';
import type { RichTextNode } from './rich-text-node.js';

const p = (...children: RichTextNode[]): RichTextNode => ({ type: 'paragraph', children });
const t = (text: string): RichTextNode => ({ text });

test.each<[string, string, RichTextNode[]]>([
  ['plain text', 'Hello', [p(t('Hello'))]],
  ['nothing', '', []],
  ['a soft line break', 'one\ntwo', [p(t('one two'))]],
  ['a hard line break', 'one  \ntwo', [p(t('one\ntwo'))]],
  [
    'marks within marks',
    '**bold _both_** `code`',
    [
      p({ text: 'bold ', bold: true }, { text: 'both', bold: true, italic: true }, t(' '), {
        text: 'code',
        code: true,
      }),
    ],
  ],
  [
    'headings, the deep ones as the deepest there is',
    '# a\n## b\n### c\n##### d',
    [
      { type: 'heading-one', children: [t('a')] },
      { type: 'heading-two', children: [t('b')] },
      { type: 'heading-three', children: [t('c')] },
      { type: 'heading-three', children: [t('d')] },
    ],
  ],
  [
    'lists within lists',
    '- a\n- b\n  1. c\n',
    [
      {
        type: 'bulleted-list',
        children: [
          { type: 'list-item', children: [t('a')] },
          {
            type: 'list-item',
            children: [
              t('b'),
              { type: 'numbered-list', children: [{ type: 'list-item', children: [t('c')] }] },
            ],
          },
        ],
      },
    ],
  ],
  [
    'a list item of several paragraphs',
    '- a\n\n  b',
    [
      {
        type: 'bulleted-list',
        children: [{ type: 'list-item', children: [p(t('a')), p(t('b'))] }],
      },
    ],
  ],
  [
    'an empty list item',
    '-',
    [{ type: 'bulleted-list', children: [{ type: 'list-item', children: [t('')] }] }],
  ],
  [
    'links, direct and by reference',
    '[a](https://a.test) [b][]\n\n[b]: https://b.test',
    [
      p({ type: 'link', url: 'https://a.test', children: [t('a')] }, t(' '), {
        type: 'link',
        url: 'https://b.test',
        children: [t('b')],
      }),
    ],
  ],
  [
    'a lone image',
    '![alt](https://a.test/i.png)',
    [{ type: 'image', url: 'https://a.test/i.png', altText: 'alt', children: [t('')] }],
  ],
  [
    'an image among text',
    'a ![][i]\n\n[i]: /i.png',
    [p(t('a '), { type: 'image', url: '/i.png', children: [t('')] })],
  ],
  [
    'a quote, as what it quotes',
    '> a\n>\n> - b',
    [p(t('a')), { type: 'bulleted-list', children: [{ type: 'list-item', children: [t('b')] }] }],
  ],
  ['a block of code', '```js\na\n  b\n```', [p({ text: 'a\n  b', code: true })]],
  ['a rule', '---', [p(t('---'))]],
])('Markdown with %s becomes rich text nodes (F2)', (_, markdown, nodes) => {
  expect(parseMarkdown(markdown)).toEqual(nodes);
});

test('HTML stays the text it is (F2)', () => {
  expect(parseMarkdown('a <b onclick="x()">b</b>\n\n<script>alert(1)</script>')).toEqual([
    p(t('a <b onclick="x()">b</b>')),
    p(t('<script>alert(1)</script>')),
  ]);
});

test('no word of a Markdown text without HTML and references is lost (F2)', () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const line = fc.tuple(fc.constantFrom('', '# ', '- ', '1. ', '> ', '**', '*', '`'), word);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const text = JSON.stringify(
        parseMarkdown(lines.map(([mark, each]) => mark + each).join('\n\n')),
      );
      for (const [, each] of lines) expect(text).toContain(each);
    }),
  );
});

test('Markdown that nests deeper than rich text may is refused, not walked (F2)', () => {
  expect(parseMarkdown('- '.repeat(10) + 'x')).toBeDefined();
  expect(parseMarkdown('> '.repeat(30) + 'x')).toEqual([p(t('x'))]);
  expect(parseMarkdown('- 1. '.repeat(10) + 'x')).toBeUndefined();
});

test.each(['- ', '>', '1) > * '])(
  'Markdown of nothing but the marker %j is refused before it takes minutes to read (F2)',
  (marker) => {
    expect(parseMarkdown(`a\n\n ${marker.repeat(40_000)}x`)).toBeUndefined();
  },
);

test('a long rule is a rule, not a list of lists (F2)', () => {
  expect(parseMarkdown(`a\n\n${'- '.repeat(40)}\n\nb`)).toEqual(parseMarkdown('a\n\n---\n\nb'));
});
