import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { RefusalLog } from './refusal-log.js';

test('4xx are in the log by their request ids, ten a second, and those left out are counted', () => {
  const lines: Record<string, unknown>[] = [];
  let now = 0;
  const logger = pino(
    {},
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const log = new RefusalLog(logger, () => now);
  const refused = {
    method: 'GET',
    route: '/v2/flow/:sid',
    status: 404,
    code: 'not_found_error',
    reason: 'flow.unknown',
  };
  for (let count = 0; count < 12; count++) log.note({ requestId: `id-${count}`, ...refused });
  now = 1_000;
  log.note({ requestId: 'later', ...refused });
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatchObject({ level: 30, requestId: 'id-0', ...refused, msg: 'refused' });
  expect(lines[10]).toMatchObject({ requestId: 'later', leftOut: 2 });
});
