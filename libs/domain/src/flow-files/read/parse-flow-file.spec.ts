import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describeProblem } from '../source/file-problem.js';
import type { PlainDraft } from '../../engine/index.js';
import { parseFlowFile } from './parse-flow-file.js';

const SAMPLES = new URL('../../../../../examples/flows/', import.meta.url);
const samples = readdirSync(SAMPLES).filter((name) => name.endsWith('.yaml'));

/** What is said of a file, without its name. */
function problemsOf(text: string): string[] {
  return parseFlowFile(text, { file: 'f' }).problems.map((problem) =>
    describeProblem(problem).slice(2),
  );
}

function codesOf(text: string): string[] {
  return parseFlowFile(text, { file: 'f' }).problems.map(({ code }) => code);
}

function parsed(text: string) {
  const { draft, problems } = parseFlowFile(text, { file: 'f' });
  expect(problems).toEqual([]);
  return draft!;
}

/** A file whose only block is `a`; its lines begin at line 5, column 5. */
function block(...lines: string[]): string {
  return ['flow: f', 'start: a', 'blocks:', '  a:', ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );
}

describe('the sample flows', () => {
  test.each(samples)('%s has nothing wrong', (name) => {
    const known = { flows: new Set(samples.map((sample) => sample.replace('.yaml', ''))) };
    const { draft, problems } = parseFlowFile(readFileSync(new URL(name, SAMPLES), 'utf8'), {
      file: name,
      known,
    });
    expect(problems).toEqual([]);
    expect(`${draft!.flow}.yaml`).toBe(name);
  });

  test('a trigger of an unknown flow is a warning and refuses nothing (S4)', () => {
    const text = readFileSync(new URL('onboarding.yaml', SAMPLES), 'utf8');
    const { draft, problems } = parseFlowFile(text, {
      file: 'onboarding.yaml',
      known: { flows: new Set(['tip']) },
    });
    expect(draft).not.toBeNull();
    expect(problems.map(describeProblem)).toEqual([
      'onboarding.yaml:32:11 warning: there is no flow "tips" yet; did you mean "tip"?',
    ]);
  });
});

describe('a refused file', () => {
  test('a mistyped block is told in one line: where it stands and what to write (F4)', () => {
    const text = block('type: modal', 'paths:', '  complete: surwey').concat(
      '\n  survey: { type: card }',
    );
    expect(problemsOf(text)).toEqual(['7:17 unknown target "surwey"; did you mean "survey"?']);
  });

  test('every problem of text, shape and meaning is told at once, from top to bottom (F4, S4)', () => {
    const text = block('type: modal', 'feilds: {}', 'paths: { complete: b, dissmiss: finish }')
      .concat('\n  b: { type: branch, when: user.plan == 1, paths: { true: c, false: finish } }')
      .replace('flow: f', 'flow: f\nname: []');
    expect(problemsOf(text)).toEqual([
      '2:7 the name of a flow is text, not a list',
      '7:5 modal a has no key "feilds"; did you mean "fields"?',
      '8:27 a modal has no path "dissmiss", only "complete" and "dismiss"; did you mean "dismiss"?',
      expect.stringMatching(/^9:33 .*unknown name "plan"/),
      '9:59 unknown target "c"; a target is a block of this flow or "finish"',
    ]);
    expect(parseFlowFile(text, { file: 'f' }).draft).toBeNull();
  });

  test('what stands in for a broken part is not complained about as well (F4)', () => {
    expect(problemsOf(block('type: modl'))).toEqual([
      '5:11 no block type "modl"; did you mean "modal"?',
    ]);
    expect(problemsOf(block('type: webhook'))).toEqual([
      '4:3 a webhook needs a url: https://example.com/hook',
    ]);
  });

  test.each([
    ['is empty', '# nothing', '1:1 the file is empty'],
    ['is a list', '- a', '1:1 a flow file is a map of'],
    [
      'has a key twice',
      'flow: f\nflow: g\nstart: finish\nblocks: {}',
      '2:1 "flow" is written twice',
    ],
    [
      'has a key twice as number and as text',
      'flow: f\nblocks: { 10: {}, "10": {} }',
      '2:19 "10" is written twice',
    ],
    ['holds two documents', 'flow: f\n---\nflow: g', '2:1 a second document begins here'],
    ['is YAML 1.1', '%YAML 1.1\n---\nflow: f', '1:1 files are YAML 1.2'],
    ['has a tag of its own', 'flow: !secret f', '1:7 Unresolved tag'],
    ['holds U+0000', 'flow: f\nname: "a\\0"', '2:7 text cannot hold the character U+0000'],
    [
      'holds U+0000 in a comment',
      'flow: f # \0\nstart: a\nblocks: { a: { type: card } }',
      '1:11 text cannot hold the character U+0000',
    ],
    [
      'holds half a surrogate pair',
      'flow: f\n"\\ud800": 1',
      '2:1 text cannot hold half of a surrogate pair',
    ],
    ['has a map for a key', 'flow: f\n? {a: b}\n: 1', '2:3 a key must be plain text'],
    ['is cut off', 'flow: {a', '1:9 a { is not closed before here'],
    [
      'has a colon in a text',
      'flow: f\nname: Hello: world',
      '2:7 a text with a colon and a blank in it needs quotes',
    ],
    [
      'has a colon in a text within { }',
      'flow: f\nblocks: {a: b: c}',
      '2:13 within { } and [ ] a text with a colon',
    ],
    [
      'has no blank behind a colon',
      'flow: f\nstart:a\nblocks: {}',
      '2:1 a key needs a value behind a colon and a blank',
    ],
    [
      'ends with a key only',
      'flow: f\nstart:a',
      '2:1 a key needs a value behind a colon and a blank',
    ],
    ['opens a quote', 'flow: f\nname: "abc\nstart: a\n', '2:7 this quote is never closed'],
    ['opens a single quote', "flow: f\nname: 'it''s\nstart: a\n", '2:7 this quote is never closed'],
    [
      'lacks a comma',
      'flow: f\nblocks: {a: {type: card}, b {type: card}}',
      '2:29 entries within { } and [ ] need commas',
    ],
    ['is indented with tabs', 'flow: f\nblocks:\n\ta: 1', '3:1 lines are indented with blanks'],
    ['has a key out of its column', 'flow:\n  a: 1\n b: 2', '3:1 the keys of a map'],
    ['has a list behind a key', 'flow: f\nstart: - a', '2:8 a list begins on a line of its own'],
    ['begins a text with @', 'flow: @x', '1:7 a text that begins with this character needs quotes'],
    ['has a bracket too many', 'flow: f\n}', '2:1 this cannot stand here; a bracket'],
    [
      'merges',
      'flow: f\nblocks:\n  a: &x {type: card}\n  b:\n    <<: *x',
      '5:5 merge keys (<<) are not supported',
    ],
    ['names an anchor that is not there', 'flow: *f', '1:7 *f stands for nothing'],
    ['contains itself', 'flow: f\nblocks: &b { a: *b }', '2:17 *b contains itself'],
    ['nests without end', '['.repeat(100_000), '1:202 nested more than 200 levels deep'],
  ])('a file that %s is refused with its place (F4)', (_, text, problem) => {
    expect(problemsOf(text)[0]).toContain(problem);
  });

  test('a few aliases that stand for millions of values are refused before anybody expands them (F4)', () => {
    const layers = [...'bcdefghi'].map(
      (name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[i]}`).join()}]`,
    );
    const [problem] = problemsOf(['flow: f', 'a: &a [1, 1]', ...layers].join('\n'));
    expect(problem).toBe(
      '1:1 the aliases of this file stand for more than 100,000 values and characters; write fewer',
    );
  });

  test('a long text that many aliases stand for is refused as well (F4)', () => {
    const [problem] = problemsOf(`flow: &long ${'x'.repeat(60_000)}\na: [*long, *long]`);
    expect(problem).toBe(
      '1:1 the aliases of this file stand for more than 100,000 values and characters; write fewer',
    );
  });

  test('a longer file than allowed is refused with both lengths, one that is as long is read (F4)', () => {
    const text = `flow: f # ${'x'.repeat(524_278)}`;
    expect(problemsOf(text)[0]).toContain('a flow needs a start');
    expect(problemsOf(`${text}x`)).toEqual([
      expect.stringContaining('the file has 524,289 characters, more than 524,288'),
    ]);
  });

  test.each([
    ['literal', ['when: |', '', '  user.properties.plan == "a b"', '    AND usr']],
    ['folded', ['when: >-', '  user.properties.plan ==', '  "pro" AND usr']],
    ['plain over several lines', ['when: user.properties.plan', '    == "pro" AND', '  usr']],
    ['double quotes', ['when: "user.properties.plan == \\"p\\\\u0041\\" AND \\t usr"']],
    ['single quotes', [`when: 'user.properties["it''s"] AND usr'`]],
  ])(
    'a syntax error of a condition in %s is told where it stands in the file (F4, S31)',
    (_, when) => {
      const text = block('type: branch', ...when, 'paths: { true: finish, false: finish }');
      const before = text.slice(0, text.indexOf('usr')).split('\n');
      expect(problemsOf(text)).toEqual([
        expect.stringContaining(
          `${before.length}:${before.at(-1)!.length + 1} found the unknown name usr`,
        ),
      ]);
    },
  );

  test('a path of a container item is refused with what leads on instead (S25)', () => {
    expect(problemsOf(block('type: tour', 'items: { x: { paths: { next: finish } } }'))).toEqual([
      '6:19 item x has no key "paths"; only the container leads on, write paths there',
    ]);
  });

  test('control characters of a file never reach the terminal of who reads the problem', () => {
    expect(problemsOf('flow: "a\\e[31m\\nb"\nstart: finish\nblocks: {}')[0]).not.toMatch(/\p{Cc}/u);
  });
});

test('one mistake in the YAML is one problem (F4)', () => {
  expect(problemsOf('flow: f\n- a')).toHaveLength(1);
  expect(problemsOf('flow: f\n name: x')).toHaveLength(1);
  expect(problemsOf('flow: f\nname: Hello: world\nstart: @x')).toHaveLength(2);
});

test('<< is a key like any other where nothing is merged', () => {
  const draft = parsed(block('type: webhook', 'url: https://a.test', 'body: { <<: 1 }'));
  expect(draft.blocks[0]).toMatchObject({ body: { '<<': 1 } });
});

describe('a warning does not hide another one (S4)', () => {
  test('a custom block without paths is told, and so is what nothing reaches', () => {
    expect(problemsOf(block('type: custom').concat('\n  b: { type: card }'))).toEqual([
      '4:3 warning: custom block a has no paths, so nobody can ever leave it',
      expect.stringMatching(/^6:3 warning: nothing reaches card b/),
    ]);
  });

  test('a branch outcome that leads nowhere is told, and so are a block out of reach and a gate that never opens', () => {
    const text = block(
      'type: branch',
      'when: user.properties.plan == "pro"',
      'paths: { true: both }',
    ).concat(
      '\n  both: { type: gate, next: finish }',
      '\n  fork: { type: branch, when: "true", paths: { true: x, false: y } }',
      '\n  x: { type: card, paths: { complete: wait } }',
      '\n  y: { type: card, paths: { complete: wait } }',
      '\n  wait: { type: gate, next: finish }',
      '\n  alone: { type: card }',
    );
    expect(codesOf(text.replace('start: a', 'start: [a, fork]'))).toEqual([
      'branch.dead-outcome',
      'gate.never-opens',
      'block.unreachable',
    ]);
  });
});

describe('keys and targets', () => {
  test('are the very texts written: numbers, booleans, null and own property names of objects (F1)', () => {
    const ids = ['10', '007', 'true', 'no', 'null', '1e3', '0x1F', 'constructor'];
    const blocks = ids.map(
      (id) => `  ${id}: { type: custom, paths: { go: [${ids.join()}], ${id}: ${id} } }`,
    );
    const draft = parsed(['flow: 007', `start: [${ids.join()}]`, 'blocks:', ...blocks].join('\n'));
    expect(draft.flow).toBe('007');
    expect(draft.start).toEqual(ids);
    expect(draft.blocks.map(({ id }) => id)).toEqual(ids);
    expect(draft.blocks[1]!.paths.slice(0, -1).map(({ to }) => to)).toEqual(ids);
    expect(draft.blocks[1]!.paths.at(-1)).toEqual({ names: ['007'], to: '007' });
  });

  test('of paths may carry several names and lead to several targets, one path each, in order (S1)', () => {
    const draft = parsed(block('type: custom', 'paths: { "done, skipped": [finish, a], back: a }'));
    expect(draft.blocks[0]!.paths).toEqual([
      { names: ['done', 'skipped'], to: 'finish' },
      { names: ['done', 'skipped'], to: 'a' },
      { names: ['back'], to: 'a' },
    ]);
  });

  test('without a target are no path, but their names are still checked (F1)', () => {
    expect(
      parsed(block('type: modal', 'paths: { complete: , dismiss: [] }')).blocks[0]!.paths,
    ).toEqual([]);
    expect(problemsOf(block('type: modal', 'paths: { compete: }'))).toEqual([
      '6:14 a modal has no path "compete"; it has complete and dismiss',
    ]);
  });

  test('of a custom block without a target are names that lead nowhere, in the order of the file (F1, S3)', () => {
    const leading = (paths: string) => {
      const { names, paths: written } = parsed(block('type: custom', `paths: { ${paths} }`))
        .blocks[0] as PlainDraft;
      return { names, paths: written };
    };
    expect(leading('answered: [], back: a, skipped: ')).toEqual({
      names: ['answered', 'back', 'skipped'],
      paths: [{ names: ['back'], to: 'a' }],
    });
    expect(leading('"a, b": [], b: finish').names).toEqual(['a', 'b']);
    expect(leading('"a, b": finish')).not.toHaveProperty('names', expect.anything());
    expect(problemsOf(block('type: custom', 'paths: { ?no: [] }'))).toEqual([
      expect.stringContaining('"?no" cannot name a path: use 1 to 128 letters'),
    ]);
    expect(problemsOf(block('type: custom', 'paths: { done: }'))).toEqual([]);
  });

  test('next and paths: {default} say the same (F1)', () => {
    const gate = (path: string) => parsed(block('type: gate', path)).blocks[0]!.paths;
    expect(gate('next: [finish]')).toEqual([{ names: ['default'], to: 'finish' }]);
    expect(gate('paths: { default: finish }')).toEqual(gate('next: finish'));
    expect(problemsOf(block('type: gate', 'next: finish', 'paths: {}'))[0]).toMatch(
      /^7:5 next and paths cannot stand together/,
    );
  });

  test('aliases stand for what they name', () => {
    const draft = parsed(
      'flow: f\nstart: [a, b]\nblocks:\n  a: &card { type: card, paths: { complete: finish } }\n  b: *card\n',
    );
    expect({ ...draft.blocks[1], id: 'a' }).toEqual(draft.blocks[0]);
  });
});

test('tens of thousands of wrong targets are all told, each at its place (F4)', () => {
  const targets = Array.from({ length: 14_000 }, (_, index) => index);
  const keys = targets.map((index) => `      "x${index}, y": z${index}`).join('\n');
  const list = targets.map((index) => `z${index}`).join(', ');
  const { problems } = parseFlowFile(
    `${block('type: custom', `paths:\n${keys}\n      list: [${list}]`)}`,
    { file: 'f' },
  );
  const places = problems
    .filter(({ code }) => code === 'path.unknown-target')
    .map(({ line, column }) => `${line}:${column}`);
  expect(new Set(places).size).toBe(28_000);
});

test('JSON is read as well as YAML, with tabs, escapes and $schema (F1)', () => {
  const text =
    '{\n\t"$schema": "../flow.schema.json",\n\t"flow": "f",\r\n\t"name": "\\ud83d\\udc4b \\/",\n\t"start": "finish", "blocks": {}\n}';
  expect(parsed(text)).toEqual({
    format: 1,
    flow: 'f',
    name: '👋 /',
    target: { users: 'all' },
    start: ['finish'],
    blocks: [],
  });
});

test('a webhook body keeps every key and value of JSON', () => {
  const draft = parsed(
    block(
      'type: webhook',
      'url: https://a.test',
      'body: { __proto__: 1, 10: [no, true, ~, -0, 1e3] }',
    ),
  );
  expect(JSON.stringify(draft.blocks[0])).toContain(
    '"body":{"10":["no",true,null,0,1000],"__proto__":1}',
  );
});

test('a message is no longer than somebody reads, whatever stands where a name was meant (F4)', () => {
  const { problems } = parseFlowFile(`flow: ${'😀'.repeat(100_000)}`, { file: 'f.yaml' });
  const [longest] = problems.map(({ message }) => message).sort((a, b) => b.length - a.length);
  expect([longest!.length <= 2_001, longest!.slice(-3)]).toEqual([true, '😀…']);
});

test.each([
  ['user.events["Invited"].count > 0', 2],
  ['user["ev\\u0065nts"].Invited.last > now()', 2],
  ['user.properties.events > 0', 1],
])(
  'a flow with a condition %s has format %s: what older releases would pass over is 2 (Z2, R17)',
  (when, format) => {
    const inTarget = `flow: f\ntarget: { users: matching, when: '${when}' }\nstart: finish\nblocks: {}\n`;
    const inBranch = `flow: f\nstart: a\nblocks: { a: { type: branch, when: '${when}', paths: { true: finish, false: finish } } }\n`;
    for (const text of [inTarget, inBranch])
      expect(parseFlowFile(text, { file: 'f' })).toMatchObject({ draft: { format }, problems: [] });
  },
);

describe('a delay', () => {
  const parse = (rest: string) =>
    parseFlowFile(`flow: f\nstart: a\nblocks: { a: { type: delay, ${rest} } }\n`, { file: 'f' });

  test.each([
    ['1 minute', 60_000],
    ['36 hours', 129_600_000],
    ['365 days', 31_536_000_000],
  ])('waits %s, and makes it a flow of format 2 (Z4, R17)', (time, ms) => {
    expect(parse(`for: ${time}, next: finish`)).toMatchObject({
      draft: { format: 2, blocks: [{ type: 'delay', for: ms }] },
      problems: [],
    });
  });

  test.each([
    ['for: 366 days', '3:34 delay.bad-duration'],
    ['for: 0 days', '3:34 delay.bad-duration'],
    ['for: 30 seconds', '3:34 delay.bad-duration'],
    ['for: 1.5 days', '3:34 delay.bad-duration'],
    ['for: 2', '3:34 delay.bad-duration'],
    ['for:', '3:29 delay.bad-duration'],
    ['for: [2 days]', '3:34 delay.bad-duration'],
    ['next: finish', '3:11 key.missing'],
    ['for: 2 days, when: true', '3:42 key.unknown'],
  ])('%s is refused with %s (Z4, S4)', (rest, problem) => {
    const found = parse(rest).problems.filter(({ severity }) => severity === 'error');
    expect(found.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual([problem]);
  });
});
