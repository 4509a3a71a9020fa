import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { custom, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import type { Checked } from '../src/edit/edit-views.js';
import { Reader } from '../src/reader/reader.js';
import type { RunningStudio } from '../src/start-studio.js';
import { openStudio, READER, Visitor } from './studio-fixture.js';

const LONGEST = 524_288;
const MOST_BYTES = 1_000_000;

/** As long as a text may be, made of the same over and over. */
function fill(head: string, piece: (index: number) => string, tail = ''): string {
  const room = LONGEST - head.length - tail.length;
  return `${head}${Array.from({ length: Math.floor(room / piece(99_999).length) }, (_, index) => piece(index)).join('')}${tail}`;
}

const BLOCKS = 'flow: f\nstart: a\nblocks:\n';
const SMALL = `${BLOCKS} a: { type: card }\n`;
const RIGHT = '"problems":[]';
const long = 'ab'.repeat(60);
const half = 'a'.repeat(LONGEST / 2 - 100);
const WEBHOOK = `${BLOCKS} a: { type: webhook, url: "https://example.com", body: [`;

const WORST: readonly (readonly [what: string, text: string])[] = [
  ['quotes that are never closed', fill('', () => '- "a\n')],
  ['unknown keys', fill(BLOCKS, (index) => ` k${index}: x\n`)],
  [
    'targets that are almost blocks',
    fill(BLOCKS, (index) => ` ${long}${index}: {type: gate, next: b${long}${index}}\n`),
  ],
  [
    'two long names that are almost the same',
    `${BLOCKS} ${half}: { type: gate, next: b${half} }\n`,
  ],
  [
    'a long name with many mistakes',
    fill(`${BLOCKS} ${half.slice(0, 400_000)}: { type: card, `, (index) => `${index}: 1,`, '}\n'),
  ],
  ['tokens that are almost known', fill(WEBHOOK, () => '"${user.identifiex}",', '] }\n')],
  [
    'a long text that stands for many',
    fill(`${WEBHOOK}&a "${'$'.repeat(50_000)}",`, () => '*a,', '] }\n'),
  ],
  ['levels over levels', fill('', () => '{a: ')],
  ['lists within lists', fill(WEBHOOK, () => `${'['.repeat(50)}${']'.repeat(50)},`, '] }\n')],
  ['one line', fill('flow: ', () => 'a')],
  ['one key', fill('', () => 'a', ': x\n')],
  ['empty entries', fill('', () => '-\n')],
];

/**
 * Cards that each lead to three others, some of them far below, so that the picture takes a while.
 */
function crossingFlow(cards: number): FlowDefinition {
  const id = (index: number): string => `b${index % cards}`;
  return defineFlow({
    blocks: Object.fromEntries(
      Array.from({ length: cards }, (_, index) => [
        id(index),
        custom({ a: id(index + 1), b: id(7 * index + 3), c: id(11 * index + 5) }),
      ]),
    ),
  });
}

/** What somebody may paste, whatever it is. */
describe('giant texts', () => {
  let fixture: Fixture;
  let studio: RunningStudio;
  let editor: Visitor;

  beforeAll(async () => {
    fixture = await Fixture.open();
    studio = await openStudio(fixture);
    editor = new Visitor(studio.url);
    await editor.enter(studio.address);
  });
  afterAll(async () => {
    await studio.stop();
    await fixture.close();
  });

  const check = (text: string) => editor.ask('POST /api/development/check', { body: { text } });

  test.each(WORST)('of %s are answered in a few words (T9)', async (_, text) => {
    const { status, text: answer } = await check(text);
    expect(status).toBe(200);
    expect(answer.slice(0, 30)).toContain('{"progress":{"problems":[');
    expect(answer.slice(-1_000)).toMatch(/"(noPicture|svg)"|<\/svg>/);
    expect(Buffer.byteLength(answer)).toBeLessThan(MOST_BYTES);
  });

  test('hold up nobody else, whoever sends them waits for themselves, and one that takes without end is called off (T9)', async () => {
    const markdown = fill(
      BLOCKS,
      (index) => ` k${index}: { type: card, fields: { body: "${index}${'*a_'.repeat(1_600)}" } }\n`,
    );
    const other = new Visitor(studio.url);
    await other.enter(studio.address);
    /** Who was answered, in their order, and how many were refused. */
    const holdUp = async (): Promise<string> => {
      const answered: string[] = [];
      const asked = (who: string, request: Promise<{ text: string }>) =>
        request.then(({ text }) => {
          answered.push(who);
          return text;
        });
      const giant = asked('giant', check(markdown));
      // Half a megabyte takes a moment to arrive.
      await pause(300);
      await asked('page', editor.ask('GET /api/me'));
      const behind = asked('behind it', check(SMALL));
      const crowd = Array.from({ length: 50 }, () => check(SMALL));
      expect(
        await asked(
          'another person',
          other.ask('POST /api/development/check', { body: { text: SMALL } }),
        ),
      ).toContain(RIGHT);
      expect(await giant).toContain('this text takes too long to read');
      expect(await behind).toContain(RIGHT);
      const refused = (await Promise.all(crowd)).filter(({ text }) =>
        text.includes('you have asked for too much at once'),
      );
      return `${answered.join(', ')}; ${refused.length} refused`;
    };
    // The giant is called off by the clock: a machine that is slow enough has not answered the
    // others by then, now and then.
    await until(
      async () => (await holdUp()) === 'page, another person, giant, behind it; 2 refused',
    );
  });

  test.each([
    ['segments', fill('segments:\n', (index) => ` s${index}: t\n`)],
    ['attention', fill('', () => '[')],
  ])(
    'of the file of %s hold up nobody else either, and are answered in a few words (T9, Q1)',
    async (file, text) => {
      const answered: string[] = [];
      const giant = editor
        .ask(`POST /api/${file}/check`, { body: { text } })
        .then(({ text: answer }) => {
          answered.push('giant');
          return answer;
        });
      await Promise.all([giant, editor.ask('GET /api/me').then(() => answered.push('page'))]);
      expect(answered).toEqual(['page', 'giant']);
      expect(Buffer.byteLength(await giant)).toBeLessThan(MOST_BYTES);
    },
  );

  test('that nobody waits for any more are not read (T9)', async () => {
    const reader = new Reader(READER);
    const read = (signal: AbortSignal) => reader.parse({ session: 'one', signal }, SMALL);
    const gone = read(AbortSignal.abort());
    expect((await read(new AbortController().signal)).problems).toEqual([]);
    expect((await gone).draft).toBeNull();
    await reader.onModuleDestroy();
  });

  test('are told what is wrong with them while a picture that takes longer is drawn, for the same person too (T9)', async () => {
    const reader = new Reader(READER);
    const asker = { session: 'one', signal: new AbortController().signal };
    const askForBoth = async (): Promise<string[]> => {
      const answered: string[] = [];
      const drawn = reader
        .draw(asker, crossingFlow(60))
        .then(({ svg }) => answered.push(svg === undefined ? 'nothing' : 'picture'));
      const told = reader
        .parse(asker, SMALL)
        .then(({ problems }) => answered.push(`${problems.length} problems`));
      await Promise.all([drawn, told]);
      return answered;
    };
    // What a busy machine has not read within two seconds is begun again behind the picture, and a
    // thread may be the last to start.
    await until(async () => (await askForBoth()).join() === '0 problems,picture');
    await reader.onModuleDestroy();
  });

  test('are followed by their pictures once: while a picture stays the same, only its mark is sent (T9)', async () => {
    const flow = (title: string, body: string) =>
      `${BLOCKS} a: { type: card, fields: { title: ${title}, body: ${body} }, paths: { complete: finish } }\n`;
    const draw = async (text: string, had?: string) => {
      const { text: answer } = await editor.ask('POST /api/development/check', {
        body: { text, ...(had && { had }) },
      });
      return (
        JSON.parse(answer.trim().split('\n').at(-1)!) as { result: { mark: string; svg?: string } }
      ).result;
    };
    const { mark, svg } = await draw(flow('One', 'Some words'));
    expect(svg).toContain('data-block="a"');
    expect(await draw(flow('One', 'Other words'), mark)).toEqual({ mark });
    expect((await draw(flow('Two', 'Other words'), mark)).svg).toBe(svg!.replaceAll('One', 'Two'));
  });

  test('are answered without what the page reads in them itself, such as a thousand fields (T9)', async () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => `f${index}: x`).join(', ');
    const { text } = await check(
      `${BLOCKS} a: { type: card, fields: { body: "*a*", ${fields} } }\n`,
    );
    const { previews } = (JSON.parse(text.split('\n')[0]!) as { progress: Checked }).progress;
    expect(previews).toEqual({
      shown: [{ block: 'a', field: 'body', nodes: expect.any(Array) }],
      left: 0,
    });
    expect(text).not.toContain('f999');
  });

  test('of very many problems tell the first, errors before warnings, and how many more there are (T9)', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}: 1\n`).join('');
    const { text } = await check(
      `flow: f\n${keys}start: ${'x'.repeat(5_000)}\nblocks: { a: { type: card } }\n`,
    );
    const { problems } = (JSON.parse(text.split('\n')[0]!) as { progress: Checked }).progress;
    expect(problems).toHaveLength(501);
    expect(problems[0]).toMatchObject({
      line: 2,
      message: expect.stringContaining('a flow has no key "k0"'),
    });
    expect(problems[500]).toMatchObject({
      line: 501,
      severity: 'error',
      message: expect.stringMatching(/^and \d+ more problems$/),
    });
  });

  test('that are longer than allowed are refused with both lengths, when they are checked and saved (F4, T9)', async () => {
    const text = '#'.repeat(LONGEST + 1);
    const words = 'the file has 524,289 characters, more than 524,288';
    expect((await check(text)).text).toContain(words);
    const saved = await editor.ask('POST /api/development/flows', {
      body: { text, ifMatch: 'none' },
    });
    expect(saved).toMatchObject({ status: 400, text: expect.stringContaining(words) });
  });
});
