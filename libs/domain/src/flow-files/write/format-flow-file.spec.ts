import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { INTENTS, type FlowDefinition, type FlowDraft } from '../../engine/index.js';
import { formatFlowFile } from './format-flow-file.js';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { assignUids } from '../../flows/draft/assign-uids.js';

const SAMPLES = new URL('../../../../../examples/flows/', import.meta.url);
const samples = readdirSync(SAMPLES).filter((name) => name.endsWith('.yaml'));

function parse(text: string): FlowDraft {
  const { draft, problems } = parseFlowFile(text, { file: 'flow.yaml' });
  expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
  return draft!;
}

function definitionOf(draft: FlowDraft): FlowDefinition {
  let made = 0;
  return assignUids(draft, [], () => `u${made++}`).definition;
}

function exported(draft: FlowDraft): FlowDraft {
  return parse(formatFlowFile(definitionOf(draft)));
}

const ODD = [
  '10',
  '007',
  'true',
  'no',
  'null',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  '0x1F',
  '1e3',
  '-0',
  'toString',
];
const identifier = fc.oneof(
  fc.constantFrom(...ODD.filter((text) => /^[A-Za-z0-9]/.test(text))),
  fc.stringMatching(/^[A-Za-z0-9][\w-]{0,12}$/),
);
const pathName = fc.oneof(
  identifier,
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]( [a-z]){0,3}$/),
);
/** Some keys carry two names; some name what leads nowhere (S3). */
const pathKey = fc
  .uniqueArray(pathName, { minLength: 1, maxLength: 2 })
  .map((names) => names.join(','));
/**
 * Every character that a database can hold, the ones that YAML treats in its own way more often.
 */
const text = fc.oneof(
  fc.constantFrom(
    ...ODD,
    '',
    ' ',
    '~',
    '- a',
    '${user.properties.name | you}',
    'a $${user.properties["b"]} ${user.c}',
    '# no comment',
    'a: b',
    '{',
    "it's",
    '"',
    '\\',
    '\ta',
    'a\n',
    '\n',
    ' a\n  b\n',
    'a\r\nb',
    '---',
    '...',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => !value.includes('\0')),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\t',
        '\r',
        '#',
        ':',
        '\u0085',
        '\u2028',
        '\ufeff',
        '👋',
        '%',
        '&',
        '*',
        '|',
        '>',
      ),
    )
    .map((all) => all.join('')),
  fc
    .array(fc.constantFrom('long enough to be broken', ' ', '\n', '\r\n'), { maxLength: 8 })
    .map((all) => all.join('')),
  // What begins a collection, a key, a tag or a quote, on lines of their own.
  fc
    .array(fc.constantFrom('a', ' ', '\n', ...'-:?,[]{}#&*!|>\'"%@`=~<.1'), { maxLength: 6 })
    .map((all) => all.join('')),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const field = fc.oneof(
  text.map((value) => ({ type: 'string', value })),
  number.map((value) => ({ type: 'number', value })),
  fc.boolean().map((value) => ({ type: 'boolean', value })),
  fc.oneof(text, fc.constant(null)).map((value) => ({ type: 'richText', value })),
  text.map((value) => ({
    type: 'richText',
    value: [
      { text: value, bold: true },
      { type: 'link', url: `/${value}`, children: [{ text: value }] },
    ],
  })),
);
const fields = fc.dictionary(
  text.filter((name) => name !== ''),
  field,
  { maxKeys: 5 },
);
const body = fc
  .jsonValue({ stringUnit: 'binary' })
  .filter((value) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value)));

const file = fc
  .uniqueArray(
    identifier.filter((id) => id !== 'start' && id !== 'finish'),
    { minLength: 3, maxLength: 8 },
  )
  .chain((ids) => {
    const targets = fc.uniqueArray(fc.constantFrom(...ids, 'finish'), { maxLength: 3 });
    const block = fc.oneof(
      fc.record({
        type: fc.constant('custom'),
        fields,
        paths: fc.dictionary(pathKey, targets, { maxKeys: 4 }),
      }),
      fc.record({
        type: fc.constantFrom('card', 'modal'),
        paths: fc.record({ complete: targets, dismiss: targets }),
      }),
      fc.record({
        type: fc.constant('branch'),
        when: fc.constant('user.properties["a\\"b"] == \'x\''),
        paths: fc.constantFrom({ true: 'finish' }, { true: [], false: ['finish'] }),
      }),
      fc.record({
        type: fc.constant('webhook'),
        url: fc.constant('https://example.com/#x'),
        headers: fc.dictionary(
          fc.stringMatching(/^[a-z-]{1,9}$/),
          fc.stringMatching(/^[ -#%-~]*$/),
        ),
        body,
      }),
      fc.record({
        type: fc.constant('flow-trigger'),
        flow: identifier,
        intent: fc.constantFrom(...INTENTS),
        version: fc.nat(),
      }),
    );
    return fc.record({
      flow: identifier,
      name: text,
      start: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }),
      blocks: fc
        .array(block, { minLength: ids.length, maxLength: ids.length })
        .map((blocks) => Object.fromEntries(ids.map((id, i) => [id, blocks[i]]))),
    });
  });

describe('an exported flow file', () => {
  test.each(samples)('of %s changes nothing when it is applied (F1)', (name) => {
    const draft = parse(readFileSync(new URL(name, SAMPLES), 'utf8'));
    expect(exported(draft)).toEqual(draft);
  });

  test('is written short: what follows from the rest is left out, rich text is Markdown where that says the same (F1, T6)', () => {
    const text = `flow: f
start: t
blocks:
  t:
    type: tour
    items:
      one: {}
      two:
        fields:
          title: Second
          next-label: null
  welcome:
    type: modal
    fields:
      body: |-
        # Three steps

        **All** of [them](https://a.test), see \`x\`:

        - one
          1. deep
        - two
      dismiss-label: Not now
      extra:
        type: richText
        value: a *b*
    paths:
      complete: [t, ask]
      dismiss: finish
  ask:
    type: branch
    when: user.properties.a
    paths:
      true: finish
      false: own
  own:
    type: custom
    paths:
      skipped: []
      done: g
  g:
    type: gate
    next: finish
`;
    const file = text
      .replace('type: gate', 'type: gate\n    was: x')
      .replace('one: {}', 'one: { type: tourItem }');
    expect(formatFlowFile(definitionOf(parse(file)))).toBe(text);
  });

  test('has nodes where no Markdown says the same: underlined text, addresses of videos, alignment (F2, T6)', () => {
    const body = [
      { type: 'paragraph', align: 'center', children: [{ text: 'a', underline: true }] },
    ];
    const draft = parse(
      JSON.stringify({ flow: 'f', start: 'a', blocks: { a: { type: 'card', fields: { body } } } }),
    );
    expect(formatFlowFile(definitionOf(draft))).toContain('underline: true');
    expect(exported(draft)).toEqual(draft);
  });

  test('keeps every condition on its line, however long, so that versions can be compared line by line', () => {
    const when = Array.from({ length: 40 }, (_, index) => `user.properties.p${index}`).join(
      ' AND ',
    );
    const draft = parse(
      `flow: f\nstart: finish\nblocks: {}\ntarget: { users: matching, when: ${when} }`,
    );
    expect(formatFlowFile(definitionOf(draft))).toContain(`  when: ${when}\n`);
  });

  const long = 'x'.repeat(45);
  test.each([':\na', '-\na', '?\na', ' \n', 'a\n b\n', `${long}\n \nz`, `${long}\r\n \n`])(
    'keeps the text %j, which YAML may take for something else (F1)',
    (value) => {
      const draft = parse(
        JSON.stringify({
          flow: 'f',
          name: value,
          start: ['b', 'hook'],
          blocks: {
            b: { type: 'custom', fields: { [value]: { type: 'string', value } } },
            hook: {
              type: 'webhook',
              url: 'https://example.com',
              body: [value, { [value]: value }],
            },
          },
        }),
      );
      expect(exported(draft)).toEqual(draft);
    },
  );

  test('of any flow is read back as the same flow, whatever its names, keys and texts are (F1)', () => {
    fc.assert(
      fc.property(file, (flow) => {
        const draft = parse(JSON.stringify(flow));
        expect(JSON.stringify(exported(draft))).toBe(JSON.stringify(draft));
      }),
      { numRuns: 100 },
    );
  });
});
