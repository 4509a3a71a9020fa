import { expect, test } from '@jest/globals';
import { readSettings } from './settings.js';

test('without settings the local stack listens on this machine, ports 7070 and 7071', () => {
  expect(readSettings({})).toEqual({
    databaseUrl: undefined,
    host: '127.0.0.1',
    usersPort: 7070,
    blocksPort: 7071,
    preparedStatements: true,
    startedByNpm: false,
  });
});

test('empty settings count as not given', () => {
  expect(readSettings({ DATABASE_URL: ' ', HOST: '', USERS_PORT: '' })).toEqual(readSettings({}));
});

test.each([
  [{ USERS_PORT: '70700' }, 'USERS_PORT'],
  [{ BLOCKS_PORT: 'http' }, 'BLOCKS_PORT'],
  [{ DATABASE_URL: 'mysql://root:secret@db/x' }, 'DATABASE_URL'],
])('a setting that is not right is named, its value is not told', (from, name) => {
  expect(() => readSettings(from)).toThrow(name);
  expect(() => readSettings(from)).not.toThrow('secret');
});
