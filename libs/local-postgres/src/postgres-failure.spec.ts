import { expect, test } from '@jest/globals';
import { explain } from './postgres-failure.js';

const where = { dataDir: '/srv/data', port: 5555, logFile: '/srv/data.log' };

test.each([
  [
    'initdb: error: could not write to file "x": No space left on device',
    'the disk is full: PostgreSQL cannot write to /srv/data',
  ],
  [
    'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use',
    'port 5555 is in use by another program',
  ],
  [
    'FATAL:  lock file "postmaster.pid" already exists',
    'a PostgreSQL server that is running already uses the data in /srv/data',
  ],
  [
    'DETAIL:  The data directory was initialized by PostgreSQL version 17, which is not',
    'made by PostgreSQL 17',
  ],
  ['FATAL:  data directory "/srv/data" has wrong ownership', 'no permission'],
  [
    'initdb: error: could not look up effective user ID 4242: user does not exist',
    'user 4242 has no entry',
  ],
  [
    'postgres: error while loading shared libraries: libicuuc.so.60: cannot open',
    'libicuuc.so.60 is missing',
  ],
  ['sh: 2: /x/bin/postgres: not found', 'it needs glibc'],
])('%s is told in a sentence', (said, sentence) => {
  const { message } = explain('PostgreSQL cannot be started', said, where);
  expect(message).toContain(`PostgreSQL cannot be started: `);
  expect(message).toContain(sentence);
});

test('what is not known by name is quoted from the log, which is named', () => {
  const said =
    '2026-01-01 LOG:  starting\n2026-01-01 FATAL:  something new\n2026-01-01 LOG:  database system is shut down\n';
  expect(explain('PostgreSQL cannot be started', said, where).message).toBe(
    'PostgreSQL cannot be started: something new (log: /srv/data.log)',
  );
});
