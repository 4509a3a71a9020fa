import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { flowFileSchema } from './flow-file-schema.js';

const EXAMPLES = new URL('../../../../../examples/', import.meta.url);
const samples = readdirSync(new URL('flows/', EXAMPLES)).filter((name) => name.endsWith('.yaml'));
const matches = new Ajv({ strict: false }).compile(flowFileSchema() as object);

/** Looks at a file as an editor does. */
function editorAccepts(text: string): boolean {
  return matches(parse(text, { stringKeys: true }));
}

function parserAccepts(text: string): boolean {
  return parseFlowFile(text, { file: 'f' }).draft !== null;
}

test('the published schema is the one of the parser; node tools/write-schemas.mjs writes it', () => {
  expect(JSON.parse(readFileSync(new URL('flow.schema.json', EXAMPLES), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(flowFileSchema())),
  );
});

test.each(samples)('editors and parser accept %s, which names the schema', (name) => {
  const text = readFileSync(new URL(`flows/${name}`, EXAMPLES), 'utf8');
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/flow\.schema\.json\n/);
  expect([editorAccepts(text), parserAccepts(text)]).toEqual([true, true]);
});

const ROOT = 'flow: f\nstart: finish\nblocks: {}';
const block = (text: string) => `flow: f\nstart: a\nblocks: { a: { ${text} } }`;
const nodes = (text: string) => block(`type: card, fields: { body: [ ${text} ] }`);

test.each([
  [
    'texts that YAML takes for something else',
    'flow: 007\nname: true\nstart: [10, no]\nblocks: { 10: { type: card, was: 9 }, no: { type: card, paths: { complete: true } }, true: { type: card } }',
  ],
  ['the longest name', `${ROOT}\nname: ${'😀'.repeat(512)}`],
  ['no target', block('type: card, paths: { complete: , dismiss: [] }')],
  ['names with commas', block('type: card, paths: { "complete, dismiss": finish }')],
  [
    'fields of every form',
    block(
      'type: card, fields: { title: , body: x, a: 1, b: true, c: { type: richText, value: [ { text: x, bold: true } ] }, d: [ { type: image, url: x } ] }',
    ),
  ],
  [
    'items of every form',
    block(
      'type: hints, items: { x: , y: {}, z: { type: hintsItem, was: w, fields: { title: T } } }',
    ),
  ],
  [
    'a webhook',
    block(
      'type: webhook, url: "HTTPS://a.test", headers: { x: 1 }, body: [ { a: null } ], paths: { default: finish }',
    ),
  ],
  ['a trigger', block('type: flow-trigger, flow: g, intent: stop, version: "3", next: [finish]')],
])('editors and parser both accept %s', (_, text) => {
  expect([editorAccepts(text), parserAccepts(text)]).toEqual([true, true]);
});

test.each([
  ['flow', 'start: finish\nblocks: {}'],
  ['start', 'flow: f\nblocks: {}'],
  ['start', 'flow: f\nstart:\nblocks: {}'],
  ['blocks', 'flow: f\nstart: finish'],
  ['key', `${ROOT}\nstrat: x`],
  ['name', `${ROOT}\nname: []`],
  ['name', `${ROOT}\nname: ${'n'.repeat(513)}`],
  ['users', `${ROOT}\ntarget: { users: some }`],
  ['when', `${ROOT}\ntarget: { users: matching }`],
  ['when', `${ROOT}\ntarget: { when: "true" }`],
  ['when', `${ROOT}\ntarget: { users: all, when: "true" }`],
  ['identifier', 'flow: a b\nstart: finish\nblocks: {}'],
  ['identifier', 'flow: f\nstart: finish\nblocks: { finish: { type: card } }'],
  ['type', block('paths: {}')],
  ['type', block('type: modl')],
  ['type', block('type: tourItem')],
  ['key', block('type: card, feilds: {}')],
  ['key', block('type: card, next: finish')],
  ['key', block('type: gate, fields: {}')],
  ['key', block('type: gate, next: finish, paths: {}')],
  ['path name', block('type: card, paths: { done: finish }')],
  ['path name', block('type: custom, paths: { "ä": finish }')],
  ['target', block('type: custom, paths: { done: { to: finish } }')],
  ['items', block('type: tour')],
  ['items', block('type: tour, items: {}')],
  ['item key', block('type: tour, items: { x: { paths: {} } }')],
  ['item type', block('type: tour, items: { x: { type: hintsItem } }')],
  ['display-index', block('type: tour, items: { x: { fields: { display-index: 1 } } }')],
  ['standard field', block('type: card, fields: { title: 1 }')],
  ['standard field', block('type: card, fields: { title: [ { text: x } ] }')],
  ['standard field', block('type: card, fields: { body: { type: string, value: x } }')],
  ['null field', block('type: custom, fields: { a: null }, paths: { x: finish }')],
  ['field name', block('type: custom, fields: { "": 1 }, paths: { x: finish }')],
  [
    'long field',
    block('type: custom, fields: { a: { type: number, value: "1" } }, paths: { x: finish }'),
  ],
  ['long field', block('type: custom, fields: { a: { type: number } }, paths: { x: finish }')],
  ['Markdown', block(`type: card, fields: { body: ${'a'.repeat(5001)} }`)],
  [
    'Markdown',
    block(
      `type: custom, fields: { a: { type: richText, value: ${'a'.repeat(5001)} } }, paths: { x: finish }`,
    ),
  ],
  ['node', nodes('x')],
  ['node', nodes('{ text: x, bold: 1 }')],
  ['node', nodes('{ type: para, children: [] }')],
  ['node', nodes('{ type: link, children: [] }')],
  ['node', nodes('{ type: paragraph }')],
  ['node', nodes('{ type: bulleted-list, children: [ { text: x } ] }')],
  ['node', nodes('{ type: paragraph, align: middle, children: [] }')],
  ['when', block('type: branch, paths: { true: finish, false: finish }')],
  ['url', block('type: webhook')],
  ['url', block('type: webhook, url: "ftp://a.test"')],
  ['url', block('type: webhook, url: " https://a.test"')],
  ['url', block('type: webhook, url: "ht\\ttps://a.test"')],
  ['former identifier', block('type: card, was: "a b"')],
  ['former identifier', block('type: card, was: ""')],
  ['item type', block('type: hints, items: { x: { type: [] } }')],
  ['align', nodes('{ type: paragraph, align: "", children: [] }')],
  ['intent', block('type: flow-trigger, flow: g, intent: begin')],
  ['version', block('type: flow-trigger, flow: g, intent: start, version: 1.5')],
])('editors and parser both refuse a wrong %s: %s', (_, text) => {
  expect([editorAccepts(text), parserAccepts(text)]).toEqual([false, false]);
});

const lines = (text: string) => text.trim().split(/\s*\n\s*/);

/** Values of every kind, and such as only some places take. */
const VALUES = [
  '',
  ...[
    '~',
    'null',
    'true',
    'no',
    'a',
    'finish',
    'latest',
    'start',
    'all',
    'matching',
    'card',
    'gate',
    'hintsItem',
  ],
  ...['0', '-1.5', '007', '1e3', '.inf', '12345678901234567890', '2026-05-01'],
  ...lines(String.raw`
    ""
    "a b"
    " a "
    "a,b"
    "!!"
    "ä"
    "https://a.test"
    " https://a.test "
    "ht\ttps://a.test"
    "https:a.test"
    "HTTP://a.test/a b"
    []
    [~]
    [null, a]
    [[a]]
    [5, true]
    [{ text: 5 }]
    [{ type: image, url: 5 }]
    [{ type: link }]
    {}
    { a: }
    { a: 5 }
    { null: }
    { "!!": }
    { "!!": [] }
    { "a, b": a }
    { type: card }
    { a: { type: card } }
    { type: string, value: }
    { type: richText, value: "*a*" }
    { type: number, value: 1e3 }
  `),
];

const PLACES = [
  ...lines(`
    $schema: #
    name: #
    target: #
    target: { users: # }
    target: { users: matching, when: # }
  `).map((line) => `${line}\n${ROOT}`),
  ...lines(`
    flow: #, start: finish, blocks: {}
    flow: f, start: finish, blocks: #
    flow: f, start: finish, blocks: { #: { type: card } }
    flow: f, start: a, blocks: { a: # }
    flow: f, start: #, blocks: { a: { type: card }, null: { type: card } }
    flow: f, start: [#, a], blocks: { a: { type: card }, null: { type: card } }
  `).map((line) => `{ ${line} }`),
  ...lines(`
    type: #
    type: card, was: #
    type: card, fields: #
    type: card, fields: { title: # }
    type: card, fields: { body: # }
    type: card, paths: #
    type: card, paths: { complete: # }
    type: card, paths: { #: }
    type: card, paths: { #: a }
    type: custom, paths: #
    type: custom, paths: { #: }
    type: custom, paths: { #: [] }
    type: custom, paths: { #: a }
    type: custom, fields: { x: # }
    type: custom, fields: { #: 5 }
    type: custom, fields: { x: { type: #, value: a } }
    type: custom, fields: { x: { type: string, value: # } }
    type: custom, fields: { x: { type: number, value: # } }
    type: custom, fields: { x: { type: boolean, value: # } }
    type: custom, fields: { x: { type: richText, value: # } }
    type: hints, items: #
    type: hints, items: { #: }
    type: hints, items: { x: # }
    type: hints, items: { x: { was: # } }
    type: hints, items: { x: { type: # } }
    type: hints, items: { x: { fields: # } }
    type: gate, next: #
    type: gate, next: [#]
    type: gate, paths: #
    type: branch, when: #
    type: webhook, url: #
    type: webhook, url: "https://a.test", headers: #
    type: webhook, url: "https://a.test", headers: { x: # }
    type: webhook, url: "https://a.test", headers: { #: x }
    type: webhook, url: "https://a.test", body: #
    type: webhook, url: "https://a.test", body: { #: a }
    type: flow-trigger, flow: #, intent: start
    type: flow-trigger, flow: g, intent: #
    type: flow-trigger, flow: g, intent: start, version: #
  `).map(block),
  ...lines(`
    { text: # }
    { text: a, bold: # }
    { type: # }
    { type: paragraph, children: # }
    { type: paragraph, align: #, children: [] }
    { type: link, url: #, children: [] }
    { type: image, url: a, width: # }
    { type: image, url: a, children: # }
  `).map(nodes),
];

test.each(PLACES)('editors refuse nothing that the parser takes as # in %j', (place) => {
  const taken = VALUES.map((value) => place.replace('#', value)).filter(parserAccepts);
  expect(taken.filter((text) => !editorAccepts(text))).toEqual([]);
});
