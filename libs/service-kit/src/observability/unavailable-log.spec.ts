import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { UnavailableLog } from './refusal-log.js';

test('503s are in the log by their request ids, ten a second, and those left out are counted', () => {
  const lines: { requestId: string; msg: string; leftOut?: number }[] = [];
  let now = 0;
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const log = new UnavailableLog(logger, () => now);
  for (let count = 0; count < 25; count++) log.note(`id-${count}`, 'too many requests');
  expect(lines.map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 10 }, (_, count) => `id-${count}`),
  );
  now = 1_000;
  log.note('later', 'too many requests');
  expect(lines[10]).toMatchObject({
    requestId: 'later',
    leftOut: 15,
    msg: 'unavailable: too many requests',
  });
});
