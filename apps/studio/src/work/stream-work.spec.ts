import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { invalidRequest } from '@waymark/domain/database/errors';
import { streamWork } from './stream-work.js';

const linesOf = async (answer: ReturnType<typeof streamWork>) =>
  (await text(answer.getStream()))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

describe('long work', () => {
  test('is answered with how far it is, then with its result (T4)', async () => {
    const answer = streamWork(({ progress }) => {
      progress({ users: 1 });
      return Promise.resolve({ users: 2 });
    });
    expect(await linesOf(answer)).toEqual([{ progress: { users: 1 } }, { result: { users: 2 } }]);
  });

  test('that goes wrong ends with what went wrong (T4)', async () => {
    const answer = streamWork(() => Promise.reject(invalidRequest('there is no such thing')));
    expect(await linesOf(answer)).toEqual([{ error: 'there is no such thing' }]);
  });

  test('that nobody expected to go wrong is in the log, and says so (T4)', async () => {
    const logged: unknown[] = [];
    Logger.overrideLogger({
      log: () => undefined,
      warn: () => undefined,
      error: (error: unknown) => void logged.push(error),
    });
    const crash = new TypeError('a fault of ours');
    expect(await linesOf(streamWork(() => Promise.reject(crash)))).toEqual([
      { error: 'something went wrong on this side; the log of the studio has more' },
    ]);
    expect(logged).toEqual([crash]);
  });

  test('is called off when the page goes (T4)', async () => {
    let calledOff!: Promise<unknown>;
    const answer = streamWork(({ signal }) => {
      calledOff = new Promise((resolve) => signal.addEventListener('abort', resolve));
      return calledOff;
    });
    answer.getStream().destroy();
    await expect(calledOff).resolves.toMatchObject({ type: 'abort' });
  });
});
