import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { diffFlows } from '../diff/diff-flows.js';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { formatFlowFile } from '../write/format-flow-file.js';
import { exportTexts, importTexts } from '../index.js';
import { assignUids } from '../../flows/draft/assign-uids.js';
import { escapeText, recognise } from './recognise.js';

describe('what a text shows of its user (Z5)', () => {
  test.each<[string, unknown]>([
    ['${user.properties.name}', [{ path: ['name'] }]],
    ['Hi ${user.properties.name | there}!', ['Hi ', { path: ['name'], or: 'there' }, '!']],
    ['${ user.properties.a.b[0] |you all }', [{ path: ['a', 'b', 0], or: 'you all' }]],
    ['${user.properties["an}y\\"|"]["x"]}', [{ path: ['an}y"|', 'x'] }]],
    ["${user.properties['über']|}", [{ path: ['über'] }]],
    ['${user.properties.a}${user.properties.b}', [{ path: ['a'] }, { path: ['b'] }]],
    [
      '$${user.properties.a} is ${user.properties.a}',
      ['${user.properties.a} is ', { path: ['a'] }],
    ],
  ])('%j', (source, parts) => {
    expect(recognise(source)).toEqual({ text: source, parts, isMisread: false });
  });

  test.each([
    ['$${user.properties.name}', '${user.properties.name}', false],
    ['$$${user.properties.name}', '$${user.properties.name}', false],
    ['${price} $${x} $ {user.properties.name}', '${price} $${x} $ {user.properties.name}', false],
    ['${user.name}', '${user.name}', true],
    ['${user.properties}', '${user.properties}', true],
    ['${user.properties.a | b | c}', '${user.properties.a | b | c}', true],
    ['${user.properties.a', '${user.properties.a', true],
    ['${group.properties.a} ${username}', '${group.properties.a} ${username}', false],
    ['${user.properties["\\ud800"]}', '${user.properties["\\ud800"]}', true],
    ['${user.properties["\\u0000"]}', '${user.properties["\\u0000"]}', true],
  ])('%j is literal', (source, text, isMisread) => {
    expect(recognise(source)).toEqual({ text, isMisread });
  });

  test('any text can be written so that it is read as it is', () => {
    const piece = fc.constantFrom(
      '$',
      '{',
      '${user.properties.a}',
      '${user',
      '.a',
      '}',
      '|',
      ' ',
      'a',
      '["',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((all) => all.join('')),
        (text) => {
          expect(recognise(escapeText(text))).toMatchObject({ text });
          expect(recognise(escapeText(text))).not.toHaveProperty('parts');
        },
      ),
    );
  });

  test('a long text of nothing but beginnings is read at once', () => {
    for (const piece of [
      '${user.properties.a',
      '${user.properties["',
      "${user.properties['a'][",
      '${user.properties.a |',
      '$',
    ])
      recognise(piece.repeat(20_000));
  });
});

const FILE = `flow: f
language: en
start: hello
blocks:
  hello:
    type: card
    fields:
      title: Hi \${user.properties.name | there}
      body: "**Dear \${user.properties.name}**, [see](https://a.test/\${user.properties.id})"
      anchor: "#\${user.properties.id}"
      note: costs \${price}
      told: write $\${user.properties.name}
languages:
  de: { hello: { title: "Hallo \${user.properties.name}" } }
`;
const read = (text: string) => parseFlowFile(text, { file: 'f' });
const define = (text: string) => assignUids(read(text).draft!, [], () => 'u').definition;
const fieldsOf = (text: string) => {
  const [block] = define(text).blocks;
  return Object.fromEntries(
    (block as unknown as { fields: { sid: string }[] }).fields.map((field) => [field.sid, field]),
  );
};

describe('flow files with personal text (Z5)', () => {
  test('keep it as parts in texts, in every language, never in addresses, and are of format 2', () => {
    expect(define(FILE).format).toBe(2);
    expect(fieldsOf(FILE)).toMatchObject({
      title: { parts: ['Hi ', { path: ['name'], or: 'there' }] },
      body: {
        value: [
          {
            children: [
              { bold: true, parts: ['Dear ', { path: ['name'] }] },
              { text: ', ' },
              { type: 'link', url: 'https://a.test/${user.properties.id}' },
            ],
          },
        ],
      },
      note: { value: 'costs ${price}' },
      told: { value: 'write ${user.properties.name}' },
    });
    for (const literal of ['anchor', 'note', 'told'])
      expect(fieldsOf(FILE)[literal]).not.toHaveProperty('parts');
    expect(define(FILE).languages![0]!.blocks[0]!.fields[0]).toMatchObject({
      parts: ['Hallo ', { path: ['name'] }],
    });
  });

  test('without it are of format 1, and what is literal in a version from before stays so when it is written', () => {
    const plain = define(
      'flow: f\nstart: a\nblocks: { a: { type: card, fields: { title: "$${user.properties.a}" } } }',
    );
    expect(plain.format).toBe(1);
    expect(read(formatFlowFile(plain)).draft!.format).toBe(1);
    expect(formatFlowFile(plain)).toContain('$${user.properties.a}');
  });

  test('are written and read again as the same, and their texts too', () => {
    const definition = define(FILE);
    expect(diffFlows(definition, define(formatFlowFile(definition)))).toEqual([]);
    const { draft } = read(FILE);
    const { texts } = exportTexts(draft!, 'de');
    expect(texts['hello.title']).toEqual({
      from: 'Hi ${user.properties.name | there}',
      to: 'Hallo ${user.properties.name}',
    });
    const file = {
      flow: 'f',
      language: 'fr',
      texts: {
        'hello.title': { from: texts['hello.title']!.from, to: 'Salut ${user.properties.name}' },
      },
    };
    const { text, isWhole } = importTexts(FILE, draft!, file);
    expect([isWhole, define(text).languages![1]!.blocks[0]!.fields[0]]).toMatchObject([
      true,
      { parts: ['Salut ', { path: ['name'] }] },
    ]);
  });

  test('warn of what looks like it and is none, and of addresses', () => {
    const codes = (title: string) =>
      read(
        `flow: f\nstart: a\nblocks: { a: { type: card, fields: { title: ${JSON.stringify(title)} } } }`,
      ).problems.map(({ code, severity }) => `${severity} ${code}`);
    expect(codes('${user.name}')).toEqual(['warning text.unknown-property']);
    expect(codes('https://a.test/${user.properties.id | no one}')).toEqual([
      'warning text.address',
    ]);
    expect(codes('$${user.name} ${user.properties.name}')).toEqual([]);
  });

  test('are warned of beside other warnings of the same text or language (F4, Z5)', () => {
    const known = {
      properties: {
        user: { names: new Set(['name']), lookedAt: 2 },
        group: { names: new Set<string>(), lookedAt: 0 },
      },
      unverified: ['production'],
    };
    const codes = (title: string, german: string) =>
      parseFlowFile(
        `flow: f
language: en
start: a
blocks: { a: { type: card, fields: { title: "${title}", body: To translate }, paths: { complete: finish } } }
languages: { de: { a: { title: "${german}" } } }`,
        { file: 'f', known },
      ).problems.map(({ code }) => code);
    expect(codes('Hi', '${user.properties.nmae}')).toEqual([
      'language.missing',
      'expression.unknown-property',
      'text.unverified',
    ]);
    expect(codes('${user.name} ${user.properties.nmae}', 'Hallo')).toEqual([
      'text.unknown-property',
      'expression.unknown-property',
      'text.unverified',
      'language.missing',
    ]);
  });

  test('differ from a version from before in which the same words were literal', () => {
    const after = define(FILE);
    const before = structuredClone(after);
    delete (before.blocks[0] as { fields: { parts?: unknown }[] }).fields[0]!.parts;
    expect(diffFlows(before, after)).toMatchObject([
      { place: ['blocks', 'hello', 'fields', 'title'] },
    ]);
  });
});
