import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { replayHistories } from './replay-histories.js';

/**
 * What an installation of release 0.1.0 exported. It is never rewritten: what was recorded once has
 * to fold for ever.
 */
const RECORDED = readFileSync(new URL('fixtures/tour.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

async function* streamed(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

const replay = (lines: readonly string[]) => replayHistories(streamed(lines));
const indexOf = (part: string): number => RECORDED.findIndex((line) => line.includes(part));
/** The recording with one of its lines changed. */
const changed = (at: number, change: (line: string) => string): string[] =>
  RECORDED.with(at, change(RECORDED[at]!));

test('histories of an earlier release fold to the states that it stored (I8)', async () => {
  expect(await replay(RECORDED)).toEqual({
    flow: 'tour',
    release: '0.1.0',
    users: 10,
    states: expect.any(Number),
    events: expect.any(Number),
    compared: RECORDED.filter((line) => line.startsWith('{"kind":"state"')).length,
    pruned: 0,
    differing: 0,
    differences: [],
  });
});

describe('a change is told with its place (I8)', () => {
  const state = indexOf('{"kind":"state"');
  const user = { user: 'user-1', version: expect.any(Number), revision: expect.any(Number) };

  test('of an event', async () => {
    const second = indexOf('"user":"user-2"');
    const exited = RECORDED.findIndex((line, at) => at > second && line.includes('"exited"'));
    const found = await replay(
      changed(exited, (line) => line.replace('"kind":"exited"', '"kind":"deactivated"')),
    );
    expect(found).toMatchObject({ differing: 1 });
    const place = expect.stringMatching(/^block [a-z]+: stored \(.*exited.*\), folded \(/);
    expect(found.differences).toMatchObject([{ user: 'user-2', version: 1, places: [place] }]);
  });

  test('of a stored flag and a stored block', async () => {
    const found = await replay(
      changed(state, (line) =>
        line
          .replace('"stopped":false', '"stopped":true')
          .replace('"blocks":{', '"blocks":{"u-none":{"active":true},'),
      ),
    );
    expect(found.differences).toEqual([
      {
        ...user,
        places: [
          'stopped: stored (true), folded (false)',
          'block u-none: stored (active), folded (nothing)',
        ],
      },
    ]);
  });

  test('of a stored gate', async () => {
    const at = indexOf('"gates":{"');
    const found = await replay(
      changed(at, (line) => line.replace(/"gates":\{.*$/, '"gates":{}}}')),
    );
    expect(found.differences[0]!.places).toEqual([
      expect.stringMatching(/^gate both: stored \(no input\), folded \(input from /),
    ]);
  });

  test.each([
    ['an event', '"kind":"exited"', '"kind":"vanished"', 'folding fails: cannot apply a change'],
    ['a version', '"type":"modal"', '"type":"poster"', 'does not run: cannot compile'],
    ['a state', '"state":{"format":1', '"state":{"format":3', 'stored as a state of format 3'],
  ])('of %s that this release does not know', async (_, find, put, said) => {
    const found = await replay(changed(indexOf(find), (line) => line.replace(find, put)));
    expect(found).toMatchObject({ differing: 1 });
    expect(found.differences[0]!.places).toEqual([expect.stringContaining(said)]);
  });

  test('of a history that stops before its state', async () => {
    const last = RECORDED.findIndex(
      (line, index) => index > state + 1 && /^{"kind":"(state|version)"/.test(line),
    );
    const cut = changed(last - 1, () => '').filter((line) => line !== '');
    const end = cut.at(-1)!.replace(/"events":(\d+)/, (_, count) => `"events":${+count - 1}`);
    expect((await replay(cut.with(-1, end))).differences).toMatchObject([
      { places: [expect.stringMatching(/^the events end at revision \d+$/)] },
    ]);
  });
});

test.each([
  ['is empty', []],
  ['was cut', RECORDED.slice(0, -1)],
  ['lost a line', RECORDED.filter((_, index) => index !== 3)],
  ['goes on behind its end', [...RECORDED, RECORDED.at(-1)!]],
  ['is not JSON', ['what?']],
  ['is another JSON', ['{"kind":"constructor"}']],
  ['is a list', ['[]']],
  ['has no head', RECORDED.slice(1)],
  ['is of another format', changed(0, (line) => line.replace('"format":1', '"format":2'))],
  ['has a state without blocks', changed(2, (line) => line.replace('"blocks"', '"rocks"'))],
])('a file that %s is refused with a sentence (I8)', async (_, lines) => {
  await expect(replay(lines)).rejects.toMatchObject({
    code: 'request.invalid',
    message: expect.stringMatching(/line \d|the file/),
  });
});
