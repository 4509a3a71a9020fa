import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { ExposedKeys } from './exposed-keys.js';

test('a secret key that comes from a page is logged once and noted each time, a public one never (V1)', () => {
  const lines: unknown[] = [];
  const noted: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const exposed = new ExposedKeys(logger, { noteBrowser: (keyId) => void noted.push(keyId) });
  const caller = { environmentId: 'e', keyId: 'backend', isSecret: true };
  exposed.note(caller, undefined);
  for (let time = 0; time < 2; time++) exposed.note(caller, 'https://app.example.com');
  exposed.note({ ...caller, keyId: 'page', isSecret: false }, 'https://app.example.com');
  expect(lines).toMatchObject([{ level: 40, keyId: 'backend' }]);
  expect(noted).toEqual(['backend', 'backend']);
});
