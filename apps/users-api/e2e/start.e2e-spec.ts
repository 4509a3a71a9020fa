import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bootstrap } from '@waymark/service-kit/bootstrap';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { startService, type SettingsByName } from '@waymark/testing/services';
import { USERS_API } from '../src/service.js';

describe('a users API that cannot start', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const start = (settings: SettingsByName) =>
    startService((given) => bootstrap(USERS_API, given), settings);

  test('tells of all settings that are not right, by name and without values', async () => {
    await expect(start({ PORT: 'secret', LOG_LEVEL: 'loud', CORS_ORIGINS: 'x' })).rejects.toThrow(
      'the settings are not right: PORT has to be a whole number from 0 to 65535; DATABASE_URL has to be given; ' +
        'LOG_LEVEL has to be one of fatal, error, warn, info, debug, trace, silent; ' +
        'CORS_ORIGINS has to be * or origins like https://app.example.com, separated by commas',
    );
  });

  test.each([
    ['no such database', { pathname: '/gone' }, 'there is no such database (3D000)'],
    ['nothing there', { port: '1' }, 'nothing listens there (ECONNREFUSED)'],
    ['a wrong password', { password: 'hush' }, 'the user or the password is refused (28P01)'],
  ])('tells of %s without the URL, which has the password in it', async (_, change, reason) => {
    const url = Object.assign(new URL(database.url), change).href;
    await expect(start({ DATABASE_URL: url })).rejects.toThrow(
      `the database of DATABASE_URL cannot be used: ${reason}`,
    );
  });

  test('waits for a database that takes the connection and gives no answer yet (R3)', async () => {
    const others = await database.connect();
    const holding = others.createQueryRunner();
    await holding.startTransaction();
    await holding.query('LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE');
    const starting = start({ DATABASE_URL: database.url, STATEMENT_TIMEOUT_MS: '100' });
    // Longer than what the first statement is given.
    await setTimeout(500);
    await holding.rollbackTransaction();
    await holding.release();
    await (await starting).stop();
  });

  test.each(['PORT', 'METRICS_PORT'])(
    'tells of a %s that is taken, and leaves nothing open',
    async (setting) => {
      const holder = createServer().listen(0, '127.0.0.1');
      await once(holder, 'listening');
      const { port } = holder.address() as AddressInfo;
      const failed = expect(
        start({ DATABASE_URL: database.url, [setting]: String(port) }),
      ).rejects.toThrow(`port ${port} is taken; give ${setting} another one (0 is any free port)`);
      await failed.finally(() => holder.close());
    },
  );
});
