import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Stage } from '@waymark/testing/stage';
import type { Checked } from '../src/edit/edit-views.js';
import type { RunningStudio } from '../src/start-studio.js';
import { openStudio, Visitor } from './studio-stage.js';

const LONGEST = 524_288;
const MOST_BYTES = 1_000_000;

/** As long as a text may be, made of the same over and over. */
function fill(head: string, piece: (index: number) => string, tail = ''): string {
  const room = LONGEST - head.length - tail.length;
  return `${head}${Array.from({ length: Math.floor(room / piece(99_999).length) }, (_, index) => piece(index)).join('')}${tail}`;
}

const BLOCKS = 'flow: f\nstart: a\nblocks:\n';
const long = 'ab'.repeat(60);
const half = 'a'.repeat(LONGEST / 2 - 100);
const WEBHOOK = `${BLOCKS} a: { type: webhook, url: "https://example.com", body: [`;

const WORST: readonly (readonly [what: string, text: string])[] = [
  ['quotes that are never closed', fill('', () => '- "a\n')],
  ['unknown keys', fill(BLOCKS, (index) => ` k${index}: x\n`)],
  ['targets that are almost blocks', fill(BLOCKS, (index) => ` ${long}${index}: {type: gate, next: b${long}${index}}\n`)],
  ['two long names that are almost the same', `${BLOCKS} ${half}: { type: gate, next: b${half} }\n`],
  [
    'a long name with many mistakes',
    fill(`${BLOCKS} ${half.slice(0, 400_000)}: { type: card, `, (index) => `${index}: 1,`, '}\n'),
  ],
  ['tokens that are almost known', fill(WEBHOOK, () => '"${user.identifiex}",', '] }\n')],
  ['a long text that stands for many', fill(`${WEBHOOK}&a "${'$'.repeat(50_000)}",`, () => '*a,', '] }\n')],
  ['levels over levels', fill('', () => '{a: ')],
  ['lists within lists', fill(WEBHOOK, () => `${'['.repeat(50)}${']'.repeat(50)},`, '] }\n')],
  ['one line', fill('flow: ', () => 'a')],
  ['one key', fill('', () => 'a', ': x\n')],
  ['empty entries', fill('', () => '-\n')],
];

/** What somebody may paste, whatever it is. */
describe('giant texts', () => {
  let stage: Stage;
  let studio: RunningStudio;
  let editor: Visitor;

  beforeAll(async () => {
    stage = await Stage.open();
    studio = await openStudio(stage);
    editor = new Visitor(studio.url);
    await editor.enter(studio.address);
  });
  afterAll(async () => {
    await studio.stop();
    await stage.close();
  });

  const check = (text: string) => editor.ask('POST /api/development/check', { body: { text } });

  test.each(WORST)('of %s are answered in a few words (T9)', async (_, text) => {
    const { status, text: answer } = await check(text);
    expect(status).toBe(200);
    expect(answer.slice(0, 30)).toContain('{"progress":{"problems":[');
    expect(answer.slice(-1_000)).toMatch(/"(noPicture|svg)"|<\/svg>/);
    expect(Buffer.byteLength(answer)).toBeLessThan(MOST_BYTES);
  });

  test('hold up nobody else, and one that takes without end is called off (T9)', async () => {
    const markdown = fill(BLOCKS, (index) => ` k${index}: { type: card, fields: { body: "${index}${'*a_'.repeat(1_600)}" } }\n`);
    const answered: string[] = [];
    const note = (what: string) => () => answered.push(what);
    const giant = check(markdown);
    await Promise.all([giant.then(note('giant')), editor.ask('GET /api/me').then(note('other'))]);
    expect(answered).toEqual(['other', 'giant']);
    expect((await giant).text).toContain('this text takes too long to read');
    expect((await check(`${BLOCKS} a: { type: card }\n`)).text).toContain('"problems":[]');
  });

  test('of very many problems tell the first, errors before warnings, and how many more there are (T9)', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}: 1\n`).join('');
    const { text } = await check(`flow: f\n${keys}start: ${'x'.repeat(5_000)}\nblocks: { a: { type: card } }\n`);
    const { problems } = (JSON.parse(text.split('\n')[0]!) as { progress: Checked }).progress;
    expect(problems).toHaveLength(501);
    expect(problems[0]).toMatchObject({ line: 2, message: expect.stringContaining('a flow has no key "k0"') });
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
    const saved = await editor.ask('POST /api/development/flows', { body: { text, ifMatch: 'none' } });
    expect(saved).toMatchObject({ status: 400, text: expect.stringContaining(words) });
  });
});
