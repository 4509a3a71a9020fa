import { expect, test } from '@jest/globals';
import { readSettings } from './settings.js';

test('without settings the local stack listens on this machine, ports 7070 to 7072', () => {
  expect(readSettings({})).toEqual({
    databaseUrl: undefined,
    host: '127.0.0.1',
    usersPort: 7070,
    blocksPort: 7071,
    studioPort: 7072,
    preparedStatements: true,
    startedByNpm: false,
  });
});

test('empty settings count as not given', () => {
  expect(readSettings({ DATABASE_URL: ' ', HOST: '', USERS_PORT: '' })).toEqual(readSettings({}));
});

test('prepared statements can be switched off', () => {
  expect(readSettings({ PREPARED_STATEMENTS: 'off' }).preparedStatements).toBe(false);
});

test.each([
  [{ USERS_PORT: '70700' }, 'USERS_PORT'],
  [{ BLOCKS_PORT: 'http' }, 'BLOCKS_PORT'],
  [{ PREPARED_STATEMENTS: 'secret' }, 'PREPARED_STATEMENTS'],
  [{ DATABASE_URL: 'mysql://root:secret@db/x' }, 'DATABASE_URL'],
])('a setting that is not right is named, its value is not told', (from, name) => {
  expect(() => readSettings(from)).toThrow(name);
  expect(() => readSettings(from)).not.toThrow('secret');
});
