import { expect, test } from '@jest/globals';
import type { FlowDefinition } from '../../engine/index.js';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { assignUids, type KnownUid } from '../../flows/draft/assign-uids.js';
import { diffFlows } from './diff-flows.js';

/** Definitions as they come about when one file is applied after the other. */
function applied(...files: string[]): FlowDefinition[] {
  let known: KnownUid[] = [];
  let made = 0;
  return files.map((text) => {
    const { draft, problems } = parseFlowFile(text, { file: 'f' });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { definition, created, renamed } = assignUids(draft!, known, () => `u${made++}`);
    known = [
      ...known.filter(({ uid }) => !renamed.some((entry) => entry.uid === uid)),
      ...renamed,
      ...created,
    ];
    return definition;
  });
}

/** What differs between the first and the last of several files. */
function diff(...files: string[]): string[] {
  const definitions = applied(...files);
  return diffFlows(definitions[0]!, definitions.at(-1)!).map(
    ({ kind, place, text }) => `${kind} ${place.join('/')}: ${text}`,
  );
}

const blocks = (text: string) => `flow: f\nstart: finish\nblocks: { ${text} }`;

test('the same definition differs in nothing, whatever the order of keys in a body', () => {
  const hook = (body: string) =>
    blocks(
      `w: { type: webhook, url: "https://a.test", body: ${body} }, c: { type: checklist, items: { x: } }`,
    );
  expect(diff(hook('{ a: 1, b: [2] }'), hook('{ b: [2], a: 1 }'))).toEqual([]);
});

test('name, targeting and start are told with what they were (S7)', () => {
  const after = blocks('a: { type: card }').replace(
    'start: finish',
    'name: F\nstart: [a, finish]\ntarget: { users: matching, when: "user.properties.x" }',
  );
  expect(diff(blocks('a: { type: card }'), after)).toEqual([
    'changed name: the name is "F", was absent',
    'changed target: targeting is "matching: user.properties.x", was "all"',
    'changed start: the start leads to a and finish, led to finish',
  ]);
});

test('people read titles of blocks instead of identifiers, former ones of what is removed (T16)', () => {
  const titled = (rest: string) => `flow: f\nstart: a\nblocks:\n${rest}`;
  const [before, after] = applied(
    titled(
      '  a: { type: card, fields: { title: Hello }, paths: { complete: b } }\n  b: { type: modal, fields: { title: Bye } }\n',
    ),
    titled('  a: { type: card, fields: { title: Hello }, paths: { complete: finish } }\n'),
  );
  expect(diffFlows(before!, after!, { titles: true }).map(({ text }) => text)).toEqual([
    'modal “Bye” is removed',
    'path complete of card “Hello” leads to finish, led to “Bye”',
  ]);
});

test('blocks and items are told as added, removed or replaced by their uids (F3)', () => {
  const before = blocks(
    'a: { type: card }, b: { type: card }, t: { type: tour, items: { x: , y: } }',
  );
  const after = blocks(
    'b: { type: modal }, t: { type: tour, items: { y: , z: } }, c: { type: custom }',
  );
  expect(diff(before, after)).toEqual([
    'removed blocks/a: card a is removed',
    'replaced blocks/b: modal b replaces card b, as a new block that nobody has seen',
    'removed blocks/t/items/x: tourItem x is removed',
    'added blocks/t/items/z: tourItem z is added',
    'added blocks/c: custom c is added',
  ]);
});

test('a rename is one difference, not one for each path that leads there (F3)', () => {
  const before = blocks('a: { type: card, paths: { complete: b } }, b: { type: card }');
  const after = blocks('a: { type: card, paths: { complete: c } }, c: { type: card, was: b }');
  expect(diff(before, after)).toEqual(['renamed blocks/c: card b is now called c']);
});

test('a block is removed though another one has its identifier now, and so are ways to it (F3)', () => {
  const before = blocks(
    'a: { type: card }, b: { type: modal }, c: { type: custom, paths: { x: a, y: b } }',
  );
  const after = blocks('a: { type: modal, was: b }, c: { type: custom, paths: { x: a, y: a } }');
  const start = (text: string) => text.replace('start: finish', 'start: [a, c]');
  expect(diff(start(before), start(after))).toEqual([
    'changed start: the start leads to a and c, led to the former a and c',
    'removed blocks/a: card a is removed',
    'renamed blocks/a: modal b is now called a',
    'changed blocks/c/paths/x: path x of custom c leads to a, led to the former a',
  ]);
});

test('a block is added, and replaces nothing, where the one of its identifier was renamed (F3)', () => {
  const after = blocks('b: { type: card }, a: { type: card }');
  expect(diff(blocks('a: { type: card }'), blocks('b: { type: card, was: a }'), after)).toEqual([
    'renamed blocks/b: card a is now called b',
    'added blocks/a: card a is added',
  ]);
});

test('paths are told as added, removed, led elsewhere and reordered (S1, S12)', () => {
  const before = blocks(
    'a: { type: custom, paths: { x: finish, "y,z": [a, b], v: b } }, b: { type: card }',
  );
  const after = blocks(
    'a: { type: custom, paths: { "y,z": [b, finish], x: finish, w: b } }, b: { type: card }',
  );
  expect(diff(before, after)).toEqual([
    'removed blocks/a/paths/v: path v of custom a is removed',
    'changed blocks/a/paths/y,z: path y,z of custom a leads to b and finish, led to a and b',
    'added blocks/a/paths/w: path w of custom a is added and leads to b',
    'reordered blocks/a/paths: the order of the paths of custom a is y,z; x',
  ]);
});

test('fields are told with their values, rich text with its words (S1, B7)', () => {
  const fields = (text: string) => blocks(`a: { type: card, fields: { ${text} } }`);
  expect(
    diff(
      fields('title: A, body: "a *b*", m: 1, n: 2, o: 3'),
      fields('title: B, body: "a **b**", n: two, m: 1, p: "*new*"'),
    ),
  ).toEqual([
    'removed blocks/a/fields/o: field o of card a is removed',
    'changed blocks/a/fields/title: field title of card a is "B", was "A"',
    'changed blocks/a/fields/body: field body of card a is formatted in another way',
    'changed blocks/a/fields/n: field n of card a is a string "two", was a number 2',
    'added blocks/a/fields/p: field p of card a is added: "*new*"',
    'reordered blocks/a/fields: the order of the fields of card a is title, body, complete-label, dismiss-label, n, m',
  ]);
  expect(diff(fields('body: "- a\\n- [b](x) c"'), fields('body: "- a\\n- d"'))).toEqual([
    'changed blocks/a/fields/body: field body of card a is "a d", was "a b c"',
  ]);
});

test('conditions, webhooks and triggers are told by their keys', () => {
  const before = blocks(
    'b: { type: branch, when: "true", paths: { true: finish } }, w: { type: webhook, url: "https://a.test" }, t: { type: flow-trigger, flow: g, intent: start }',
  );
  const after = blocks(
    'b: { type: branch, when: "false", paths: { true: finish } }, w: { type: webhook, url: "https://b.test", headers: { a: b }, body: {} }, t: { type: flow-trigger, flow: h, intent: stop, version: 3 }',
  );
  expect(diff(before, after)).toEqual([
    'changed blocks/b/when: the condition of branch b is "false", was "true"',
    'changed blocks/w/url: the url of webhook w is "https://b.test", was "https://a.test"',
    'changed blocks/w/headers: headers of webhook w is ["a: b"], was []',
    'changed blocks/w/body: the body of webhook w is {}, was absent',
    'changed blocks/t/flow: the flow of flow-trigger t is "h", was "g"',
    'changed blocks/t/intent: the intent of flow-trigger t is "stop", was "start"',
    'changed blocks/t/version: the version of flow-trigger t is 3, was "latest"',
  ]);
});

test('names that lead nowhere are told like paths (S3)', () => {
  const ask = (paths: string) => blocks(`a: { type: custom, paths: { ${paths} } }`);
  expect(diff(ask('done: finish, later: finish'), ask('done: [], no: , later: finish'))).toEqual([
    'changed blocks/a/paths/done: path done of custom a leads nowhere, led to finish',
    'added blocks/a/paths/no: path no of custom a is added and leads nowhere',
  ]);
});

test('another order of items is one difference, their display-index not one more (F1)', () => {
  const tour = (items: string) => blocks(`t: { type: tour, items: { ${items} } }`);
  expect(diff(tour('x: , y: , z: '), tour('z: , x: , y: '))).toEqual([
    'reordered blocks/t/items: the order of the items of t is z, x, y',
  ]);
});

test('long values are cut, not split within a character', () => {
  const [text] = diff(
    blocks('a: { type: card }'),
    blocks(`a: { type: card, fields: { title: ${'👋'.repeat(100)} } }`),
  );
  expect(text).toMatch(/is "(👋)+…, was empty$/u);
});

test('long values are cut around where they begin to differ', () => {
  const name = 'x'.repeat(100);
  const when = (value: number) =>
    blocks(
      `b: { type: branch, when: user.properties.${name} == ${value} AND user.properties.${name}, paths: { true: finish } }`,
    );
  const [text] = diff(when(1), when(2));
  const cut = (value: number) =>
    `…${'x'.repeat(16)} == ${value} AND user.properties.${'x'.repeat(38)}…`;
  expect(text).toBe(`changed blocks/b/when: the condition of branch b is ${cut(2)}, was ${cut(1)}`);
});

test('an empty body is not the same as none', () => {
  const hook = (body: string) => blocks(`w: { type: webhook, url: "https://a.test"${body} }`);
  expect(diff(hook(''), hook(', body: null'))).toEqual([
    'changed blocks/w/body: the body of webhook w is empty, was absent',
  ]);
});
