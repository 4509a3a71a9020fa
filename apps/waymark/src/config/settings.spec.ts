import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readCommandSettings } from './settings.js';

test('without settings the local stack listens on this machine, ports 7070 to 7072', () => {
  expect(readCommandSettings({})).toEqual({
    databaseUrl: undefined,
    host: '127.0.0.1',
    usersPort: 7070,
    blocksPort: 7071,
    studioPort: 7072,
    preparedStatements: true,
    environment: 'development',
    startedByNpm: false,
  });
});

test('empty settings count as not given', () => {
  expect(readCommandSettings({ DATABASE_URL: ' ', HOST: '', USERS_PORT: '' })).toEqual(
    readCommandSettings({}),
  );
});

test('prepared statements can be switched off', () => {
  expect(readCommandSettings({ PREPARED_STATEMENTS: 'off' }).preparedStatements).toBe(false);
});

test.each([
  [{ USERS_PORT: '70700' }, 'USERS_PORT'],
  [{ BLOCKS_PORT: 'http' }, 'BLOCKS_PORT'],
  [{ PREPARED_STATEMENTS: 'secret' }, 'PREPARED_STATEMENTS'],
  [{ DATABASE_URL: 'mysql://root:secret@db/x' }, 'DATABASE_URL'],
])('a setting that is not right is named, its value is not told', (from, name) => {
  expect(() => readCommandSettings(from)).toThrow(name);
  expect(() => readCommandSettings(from)).not.toThrow('secret');
});

test('the pages for operators name every setting that one may give', () => {
  const source = readFileSync(new URL('settings.ts', import.meta.url), 'utf8');
  const names = [...source.matchAll(/^ {2}@(?:From|Port)\('([A-Z_]+)'/gm)].map(([, name]) => name!);
  const docs = ['deploy', 'run', 'reference']
    .map((page) => readFileSync(`docs/${page}.md`, 'utf8'))
    .join();
  expect(names).toContain('WAYMARK_BY');
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});
