import { describe, expect, test } from '@jest/globals';
import {
  type BlockOf,
  branch,
  card,
  checklist,
  custom,
  delay,
  defineFlow,
  doneBy,
  type FlowNotation,
  gate,
  hints,
  tour,
  trigger,
  webhook,
} from '@waymark/testing/builders';
import type { FlowDraft, Item } from '../definition/definition.js';
import { checkDefinition } from './check-definition.js';

const check = (notation: FlowNotation, known?: string[]) =>
  checkDefinition(defineFlow(notation), known && { flows: new Set(known) });
/** Every problem as `code at place`. */
const found = (notation: FlowNotation, known?: string[]) =>
  check(notation, known).map(({ code, place }) => `${code} at ${place.join('/')}`);
const messages = (notation: FlowNotation) => check(notation).map(({ message }) => message);

test('a flow with every kind of block in its place has no problem (S4)', () => {
  const flow: FlowNotation = {
    target: { users: 'matching', when: 'user.properties.plan == "pro"' },
    start: ['welcome', 'finish'],
    blocks: {
      welcome: card({ complete: 'is-admin', dismiss: 'finish' }),
      'is-admin': branch('includes(user.properties.roles, "Admin")', {
        true: ['setup', 'trip', 'notify'],
        false: 'alone',
      }),
      notify: webhook('tips', {
        headers: { 'x-user': '${user.identifier}' },
        body: { at: ['${timestamp}', { v: '${flow.version}' }], n: null },
      }),
      tips: trigger('tips', 'start', []),
      setup: checklist(['invite', 'connect'], { complete: 'both', dismiss: 'finish' }),
      trip: tour(['first', 'second'], { complete: 'both', dismiss: 'both' }),
      both: gate('survey'),
      alone: tour(['only'], { complete: 'survey' }),
      marks: hints(['here'], { complete: 'survey' }),
      survey: custom(
        { 'answered,constructor': 'finish', back: 'welcome', 'Not now 1.0': 'marks' },
        [
          { sid: 'max', type: 'number', value: 5 },
          { sid: 'body', type: 'richText', value: null },
        ],
      ),
    },
  };
  expect(check(flow, ['tips'])).toEqual([]);
});

describe('errors', () => {
  const broken: [string, FlowNotation, string[]][] = [
    [
      'an unknown target',
      { blocks: { a: card({ complete: 'b' }) } },
      ['path.unknown-target at blocks/a/paths/complete'],
    ],
    [
      'an unknown target of the start',
      { start: 'b', blocks: {} },
      ['path.unknown-target at start'],
    ],
    [
      'an unknown target among several',
      { start: ['a', 'b'], blocks: { a: card({ dismiss: ['a', 'c'] }) } },
      ['path.unknown-target at start/1', 'path.unknown-target at blocks/a/paths/dismiss/1'],
    ],
    [
      'an unknown target of an automatic path',
      { blocks: { g: gate('b') } },
      ['path.unknown-target at blocks/g/next'],
    ],
    [
      'the start as a target',
      { blocks: { a: card({ complete: 'start' }) } },
      ['path.unknown-target at blocks/a/paths/complete'],
    ],
    [
      'a path to an item',
      { blocks: { a: card({ complete: 'one' }), list: checklist(['one']) }, start: ['a', 'list'] },
      ['path.to-item at blocks/a/paths/complete'],
    ],
    [
      'a name that the type does not have',
      { blocks: { a: card({ next: 'finish' }) } },
      ['path.unknown-name at blocks/a/paths/next'],
    ],
    [
      'a name that no block may have',
      { blocks: { a: custom({ '-x': 'finish', '': 'finish' }) } },
      ['path.bad-name at blocks/a/paths/-x', 'path.bad-name at blocks/a/paths/'],
    ],
    [
      'a name of 129 characters',
      { blocks: { a: custom({ ['x'.repeat(129)]: 'finish', ['x'.repeat(128)]: 'finish' }) } },
      [`path.bad-name at blocks/a/paths/${'x'.repeat(129)}`],
    ],
    [
      'blocks named start and finish, a path from a finish with them',
      { start: 'a', blocks: { a: card({ complete: 'finish' }), finish: card({ complete: 'a' }) } },
      ['block.reserved-identifier at blocks/finish', 'block.unreachable at blocks/finish'],
    ],
    [
      'an item named start',
      { blocks: { list: checklist(['start']) } },
      ['block.reserved-identifier at blocks/list/items/start'],
    ],
    [
      'identifiers that nothing can have',
      {
        flow: 'my flow',
        blocks: { 'a.b': card(), [`a${'b'.repeat(128)}`]: card() },
        start: ['a.b', `a${'b'.repeat(128)}`],
      },
      [
        'flow.bad-identifier at flow',
        'block.bad-identifier at blocks/a.b',
        `block.bad-identifier at blocks/a${'b'.repeat(128)}`,
      ],
    ],
    [
      'an item named like a block',
      { blocks: { a: card({ complete: 'list' }), list: checklist(['a']) } },
      ['block.duplicate-identifier at blocks/list/items/a'],
    ],
    [
      'a branch without a condition',
      { blocks: { ask: branch(' ', { true: 'finish', false: 'finish' }) } },
      ['branch.without-condition at blocks/ask/when'],
    ],
    [
      'targeting without a condition',
      { target: { users: 'matching', when: '' } },
      ['target.without-condition at target/when'],
    ],
    [
      'a container without items',
      { blocks: { list: checklist([]), trip: tour([]) }, start: ['list', 'trip'] },
      [
        'container.without-items at blocks/list/items',
        'container.without-items at blocks/trip/items',
      ],
    ],
    [
      'a webhook to nowhere',
      {
        blocks: { a: webhook([], { url: 'ftp://x' }), b: webhook([], { url: '/x' }) },
        start: ['a', 'b'],
      },
      ['webhook.bad-url at blocks/a/url', 'webhook.bad-url at blocks/b/url'],
    ],
    [
      'an address with what no address can hold',
      {
        blocks: {
          a: webhook('b', { url: ' https://a.test' }),
          b: webhook([], { url: 'https://a\t.test' }),
        },
      },
      ['webhook.bad-url at blocks/a/url', 'webhook.bad-url at blocks/b/url'],
    ],
    [
      'headers that HTTP cannot carry',
      { blocks: { a: webhook([], { headers: { 'x y': '', x: 'a\nb' } }) } },
      ['webhook.bad-header at blocks/a/headers/x y', 'webhook.bad-header at blocks/a/headers/x'],
    ],
    [
      'an unknown token at the end of a list with more values than a function takes arguments',
      {
        blocks: {
          a: webhook([], { body: [...Array.from({ length: 240_000 }, () => 1), '${nobody}'] }),
        },
      },
      ['webhook.unknown-token at blocks/a/body/240000'],
    ],
    [
      'unknown tokens in headers and deep in the body',
      {
        blocks: {
          a: webhook([], {
            headers: { x: '${user.name}' },
            body: { deep: [1, { er: 'a ${} ${flow.name} ${flow.id}' }] },
          }),
        },
      },
      [
        'webhook.unknown-token at blocks/a/headers/x',
        'webhook.unknown-token at blocks/a/body/deep/1/er',
        'webhook.unknown-token at blocks/a/body/deep/1/er',
      ],
    ],
    [
      'a trigger of what cannot be a flow or a version',
      {
        blocks: {
          a: trigger('my flow', 'start', 'b'),
          b: trigger('tips', 'start', [], 1.5),
          c: trigger('tips', 'start', [], -1),
        },
        start: ['a', 'c'],
      },
      [
        'trigger.bad-flow at blocks/a/flow',
        'trigger.bad-version at blocks/b/version',
        'trigger.bad-version at blocks/c/version',
      ],
    ],
    [
      'fields of the wrong type and twice',
      {
        blocks: {
          a: custom({ x: 'finish' }, [
            { sid: 's', type: 'string', value: 1 },
            { sid: 'r', type: 'richText', value: 'x' },
            { sid: 'n', type: 'number', value: NaN },
            { sid: 'r', type: 'boolean', value: true },
          ]),
        },
      },
      [
        'field.wrong-type at blocks/a/fields/s',
        'field.wrong-type at blocks/a/fields/r',
        'field.wrong-type at blocks/a/fields/n',
        'field.duplicate at blocks/a/fields/r',
      ],
    ],
  ];
  test.each(broken)('%s (S4)', (_, notation, expected) => {
    expect(found(notation)).toEqual(expected);
  });

  test('a superfluous condition, which only a document of another hand can have (S4)', () => {
    const draft = { ...defineFlow({}), target: { users: 'all', when: 'true' } } as FlowDraft;
    expect(checkDefinition(draft)).toMatchObject([
      { code: 'target.superfluous-condition', severity: 'error', place: ['target', 'when'] },
    ]);
  });

  test('dates that are none, that nobody could enter between, or that nobody enters by (Z8)', () => {
    const codes = (target: FlowDraft['target'], end?: string) =>
      checkDefinition({ ...defineFlow({ blocks: { a: card() } }), target, ...(end && { end }) })
        .filter(({ code }) => code.startsWith('date') || code.startsWith('target'))
        .map(({ code, place }) => `${code} ${place.join('.')}`);
    expect(codes({ users: 'all', from: '2026-13-01', until: 'soon' }, 'never')).toEqual([
      'date.unknown target.from',
      'date.unknown target.until',
      'date.unknown end',
    ]);
    expect(
      codes({ users: 'all', from: '2026-12-01', until: '2026-12-01T01:00+01:00' }, '2026-11-01'),
    ).toEqual(['date.too-early target.until', 'date.too-early end']);
    expect(codes({ users: 'api-only', until: '2026-12-01' }, '2027-01-01')).toEqual([
      'target.superfluous-date target.until',
    ]);
    expect(codes({ users: 'all', from: '2026-12-01' }, '2026-12-02')).toEqual([]);
  });

  test('a goal that is none, cannot be read, or is about a property that nobody has (Z7)', () => {
    const found = (goal: string) =>
      checkDefinition(defineFlow({ goal, blocks: { a: card() } }), {
        properties: {
          user: { names: new Set(['activated']), lookedAt: 10 },
          group: { names: new Set(), lookedAt: 0 },
        },
      })
        .filter(({ place }) => place[0] === 'goal')
        .map(({ code, severity, at }) => [code, severity, at?.column]);
    expect(found(' ')).toEqual([['goal.without-condition', 'error', undefined]]);
    expect(found('user.properties.a ==')).toEqual([['expression.syntax', 'error', 21]]);
    expect(found('user.properties.activatde')).toEqual([
      ['expression.unknown-property', 'warning', 1],
    ]);
    expect(found('user.properties.activated')).toEqual([]);
  });

  test('what is done by itself without a condition, by a name that is none, or by a property that nobody has (Z1)', () => {
    const found = (block: BlockOf) =>
      checkDefinition(defineFlow({ blocks: { a: block } }), {
        properties: {
          user: { names: new Set(['activated']), lookedAt: 10 },
          group: { names: new Set(), lookedAt: 0 },
        },
      })
        .filter(({ place }) => place.includes('done'))
        .map(({ code, place, message }) => [code, place.join('.'), message]);
    const own = custom({ ok: 'finish' });
    expect(found(doneBy(' ', card()))).toEqual([
      ['done.without-condition', 'blocks.a.done', expect.stringContaining('done of a')],
    ]);
    expect(found(doneBy('user.properties.a ==', own, 'okk'))).toEqual([
      ['done.unknown-name', 'blocks.a.done.take', expect.stringContaining('did you mean "ok"?')],
      ['expression.syntax', 'blocks.a.done.when', expect.anything()],
    ]);
    expect(found(doneBy({ one: 'user.properties.activatde' }, checklist(['one'])))).toEqual([
      [
        'expression.unknown-property',
        'blocks.a.items.one.done',
        expect.stringContaining('activated'),
      ],
    ]);
    expect(found(doneBy('user.properties.activated', own, 'ok'))).toEqual([]);
  });

  test('texts that show properties nobody has, or that anybody with a key of a page may read (Z5, U6)', () => {
    const field = { sid: 'title', type: 'string' as const, value: '', parts: [{ path: ['nmae'] }] };
    const draft = defineFlow({ blocks: { a: custom({ ok: 'finish' }, [field]) } });
    const properties = {
      user: { names: new Set(['name']), lookedAt: 10 },
      group: { names: new Set<string>(), lookedAt: 0 },
    };
    const place = ['blocks', 'a', 'fields', 'title'];
    const problems = checkDefinition(draft, { properties, unverified: ['production'] });
    expect(problems).toMatchObject([
      { code: 'expression.unknown-property', severity: 'warning', place },
      { code: 'text.unverified', severity: 'warning', place },
    ]);
    expect(problems[0]!.message).toContain('did you mean "name"?');
    expect(checkDefinition(draft, { unverified: [] })).toEqual([]);
  });

  test('bad expressions, with line and column (S4, S29)', () => {
    const problems = check({
      target: { users: 'matching', when: 'user.properties.a ==' },
      blocks: { ask: branch('true AND\n  ) x', { true: 'finish', false: 'finish' }) },
    });
    expect(problems).toMatchObject([
      { code: 'expression.syntax', place: ['target', 'when'], at: { line: 1 } },
      { code: 'expression.syntax', place: ['blocks', 'ask', 'when'], at: { line: 2, column: 3 } },
    ]);
  });

  test('an item of another container type, a path without a name, an unknown intent or field type (S2, S3)', () => {
    const [list, tips, ask] = [
      checklist(['one'])('list'),
      trigger('tips')('tips'),
      custom()('ask'),
    ];
    const draft = {
      ...defineFlow({ start: ['list', 'tips', 'ask'] }),
      blocks: [
        { ...list, items: [{ type: 'tourItem', id: 'one', uid: 'u', fields: [] } satisfies Item] },
        { ...tips, intent: 'pause' },
        {
          ...ask,
          fields: [{ sid: 'x', type: 'date', value: null }],
          paths: [{ names: [], to: 'finish' }],
        },
      ],
    } as unknown as FlowDraft;
    const codes = checkDefinition(draft).map(({ code, place }) => `${code} at ${place.join('/')}`);
    expect(codes).toEqual([
      'container.wrong-item at blocks/list/items/one',
      'field.unknown-type at blocks/ask/fields/x',
      'path.without-name at blocks/ask/paths/',
      'trigger.unknown-intent at blocks/tips/intent',
    ]);
  });

  test('a block that is there twice, and renames from what is still there, from one twice or from nothing (F3)', () => {
    const blocks = [
      card()('a'),
      { ...card()('b'), was: 'a' },
      { ...card()('c'), was: 'old' },
      { ...card()('d'), was: 'old' },
      { ...card()('e'), was: 'o l d' },
      card()('a'),
    ];
    const codes = checkDefinition({
      ...defineFlow({ start: ['a', 'b', 'c', 'd', 'e'] }),
      blocks,
    }).filter(({ severity }) => severity === 'error');
    expect(codes.map(({ code, place }) => `${code} at ${place.join('/')}`)).toEqual([
      'block.duplicate-identifier at blocks/a',
      'block.was-present at blocks/b/was',
      'block.was-twice at blocks/d/was',
      'block.bad-was at blocks/e/was',
    ]);
  });

  test('all at once, each one an error (S4)', () => {
    const problems = check({
      start: 'welcom',
      blocks: {
        welcome: card({ completed: 'finish' }),
        list: checklist([], { complete: 'nowhere' }),
      },
    });
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(4);
  });
});

describe('advice', () => {
  test('names the target that was probably meant (S4)', () => {
    expect(
      messages({ start: 'welcom', blocks: { welcome: card({ complete: 'finsih' }) } }),
    ).toEqual(
      expect.arrayContaining([
        'unknown target "welcom"; did you mean "welcome"?',
        'unknown target "finsih"; did you mean "finish"?',
      ]),
    );
  });

  test('says what is allowed where nothing comes close (S4)', () => {
    expect(messages({ blocks: { a: card({ again: 'elsewhere' }) } })).toEqual([
      'a card has no path "again", only "complete" and "dismiss"',
      'unknown target "elsewhere"; a target is a block of this flow or "finish"',
    ]);
  });

  test('names the container of an item (S4)', () => {
    expect(messages({ blocks: { list: checklist(['one'], { complete: 'one' }) } })).toEqual([
      expect.stringContaining('checklist list'),
    ]);
  });

  test('lists the tokens of a webhook (S19)', () => {
    const [message] = messages({ blocks: { a: webhook([], { body: '${user.id}' }) } });
    expect(message).toContain(
      'allowed are ${flow.name} ${flow.identifier} ${flow.version} ${user.identifier} ${timestamp}',
    );
  });
});

describe('circles of automatic blocks', () => {
  const circle = (blocks: Record<string, BlockOf>) =>
    check({ blocks }).filter(({ code }) => code === 'path.automatic-cycle');

  test.each([
    ['one block', { a: webhook('a') }, 'a -> a'],
    ['two', { a: gate('b'), b: branch('true', { true: 'a', false: 'finish' }) }, 'a -> b -> a'],
    [
      'behind others',
      {
        a: card({ complete: 'b' }),
        b: webhook('c'),
        c: trigger('x', 'start', 'd'),
        d: gate(['finish', 'c']),
      },
      'c -> d -> c',
    ],
  ])('are refused: %s (S4)', (_, blocks, way) => {
    const problems = circle(blocks);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      severity: 'error',
      message: expect.stringContaining(`: ${way};`),
    });
  });

  const itself = (items: Record<string, string>) =>
    doneBy(items, checklist(['one', 'two'], { complete: 'a', dismiss: 'a' }));
  test.each([
    ['a block that is done by itself', { a: doneBy('true', card({ complete: 'a' })) }, 1],
    ['by another name than the one it takes', { a: doneBy('true', card({ dismiss: 'a' })) }, 0],
    [
      'that and a branch',
      { a: doneBy('true', custom({ ok: 'b' }), 'ok'), b: branch('true', { true: 'a' }) },
      1,
    ],
    ['a list of such items', { a: itself({ one: 'true', two: 'true' }) }, 1],
    ['a list with an item that waits', { a: itself({ one: 'true' }) }, 0],
  ])('by conditions are refused: %s (S4, Z1)', (_, blocks, problems) => {
    expect(circle(blocks)).toHaveLength(problems);
  });

  test('are reported all at once, two that share a block as well (S4)', () => {
    expect(
      circle({ a: webhook(['b', 'c']), b: webhook('a'), c: webhook('a'), lost: webhook('lost') }),
    ).toHaveLength(3);
  });

  test('are told by their first and last blocks where they are long (S4)', () => {
    const ring = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [`b${index}`, gate(`b${(index + 1) % length}`)]),
      );
    const start = 'b0 -> b1 -> b2 -> b3 -> b4 -> b5 -> b6 -> b7';
    expect(circle(ring(9))[0]!.message).toContain(`: ${start} -> b8 -> b0;`);
    expect(circle(ring(900))[0]!.message).toContain(`: ${start} -> … (891 more) -> b899 -> b0;`);
  });

  test('are none where a block waits for the user or a delay for its time, nor where ways only meet (S4, Z4)', () => {
    expect(circle({ a: webhook('b'), b: delay('a'), c: delay('c') })).toEqual([]);
    expect(
      circle({ a: custom({ go: 'b' }), b: webhook(['c', 'd']), c: webhook('d'), d: webhook('a') }),
    ).toEqual([]);
  });
});

describe('sizes', () => {
  const many = (count: number, build: BlockOf) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`b${index}`, build]));

  test('1,000 blocks and items are allowed, one more is not (S4)', () => {
    const items = Array.from({ length: 900 }, (_, index) => `i${index}`);
    const codes = (cards: number) =>
      found({ blocks: { list: checklist(items), ...many(cards, card()) } }).filter((code) =>
        code.startsWith('flow.'),
      );
    expect(codes(99)).toEqual([]);
    expect(codes(100)).toEqual(['flow.too-many-blocks at blocks']);
  });

  test('5,000 paths are allowed, one for each target, those of the start too; one more is not (S4)', () => {
    const blocks = many(10, custom({ 'a,b': Array.from({ length: 499 }, () => 'finish') }));
    const codes = (starts: number) =>
      found({ start: Array.from({ length: starts }, () => 'b0'), blocks }).filter((code) =>
        code.startsWith('flow.'),
      );
    expect(codes(10)).toEqual([]);
    expect(codes(11)).toEqual(['flow.too-many-paths at blocks']);
  });

  test('what is too large is told nothing of its paths as a whole, which would take long (S4)', () => {
    const circles = { ...many(1000, card()), unreached: gate('unreached') };
    expect(found({ blocks: circles, start: [] })).toEqual(['flow.too-many-blocks at blocks']);
  });
});

describe('warnings', () => {
  const odd: [string, FlowNotation, string[], string[]?][] = [
    [
      'blocks that nothing reaches',
      { start: 'a', blocks: { a: card(), b: card({ complete: 'c' }), c: checklist(['one']) } },
      ['block.unreachable at blocks/b', 'block.unreachable at blocks/c'],
    ],
    [
      'a custom block without paths',
      { blocks: { a: custom() } },
      ['custom.without-paths at blocks/a/paths'],
    ],
    [
      'branch outcomes that lead nowhere',
      { blocks: { a: branch('true', { true: 'b' }), b: branch('true') } },
      [
        'branch.dead-outcome at blocks/a/paths/false',
        'branch.dead-outcome at blocks/b/paths/true',
        'branch.dead-outcome at blocks/b/paths/false',
      ],
    ],
    [
      'a trigger of an unknown flow, where the known ones are given; the flow itself is known',
      {
        blocks: {
          a: trigger('tipps', 'start', 'b'),
          b: trigger('onboarding', 'reset', 'c'),
          c: trigger('tips'),
        },
      },
      ['trigger.unknown-flow at blocks/a/flow'],
      ['tips'],
    ],
    [
      'tokens in a URL, where they are not replaced',
      { blocks: { a: webhook([], { url: 'https://a.test/${user.identifier}' }) } },
      ['webhook.token-in-url at blocks/a/url'],
    ],
    [
      'tokens in a key of the body, where they are not replaced',
      { blocks: { a: webhook([], { body: { of: { '${user.identifier}': 1, $5: 2 } } }) } },
      ['webhook.token-in-key at blocks/a/body/of/${user.identifier}'],
    ],
  ];
  test.each(odd.map(([title, ...rest]) => ({ title, rest })))(
    '$title (S4)',
    ({ rest: [notation, expected, known] }) => {
      expect(found(notation, known)).toEqual(expected);
      for (const { severity } of check(notation, known)) expect(severity).toBe('warning');
    },
  );

  test('say nothing of unknown flows when nobody told which are known (S4)', () => {
    expect(found({ blocks: { a: trigger('tips') } })).toEqual([]);
  });
});
