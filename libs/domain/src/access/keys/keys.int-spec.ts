import { describe, expect, jest, test } from '@jest/globals';
import { useTestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { Database, ReferenceWatch } from '../../database/index.js';
import {
  createEnvironment,
  createKey,
  getEnvironment,
  hashKey,
  isGoodKey,
  KeyRing,
  KeyUse,
  type KeyView,
  listEnvironments,
  listKeys,
  revokeKey,
} from '../index.js';

describe('environments and their keys', () => {
  const own = useTestDatabase();

  describe('environments', () => {
    test('are created by name and listed by name', async () => {
      const created = await createEnvironment(own.dataSource, 'staging', { by: 'test' });
      expect(await getEnvironment(own.dataSource, 'staging')).toEqual(created);
      expect((await listEnvironments(own.dataSource)).map(({ name }) => name)).toEqual([
        'development',
        'production',
        'staging',
      ]);
    });

    test.each(['', '-x', 'a b', 'x'.repeat(129), 'ä'])('cannot be named %p', async (name) => {
      await expect(createEnvironment(own.dataSource, name, { by: 'test' })).rejects.toMatchObject({
        code: 'request.invalid',
      });
    });

    test('cannot be created twice, and unknown ones are told with those that exist', async () => {
      await expect(createEnvironment(own.dataSource, 'production', { by: 'test' })).rejects.toThrow(
        'environment "production" exists already',
      );
      await expect(getEnvironment(own.dataSource, 'nowhere')).rejects.toThrow(
        /^there is no environment "nowhere" \(there are: .*production/,
      );
    });
  });

  describe('keys', () => {
    test('a secret key is shown once and kept as a hash only, a public one can be shown again (V1)', async () => {
      const users = await createKey(
        own.dataSource,
        { environment: 'production', kind: 'users', name: 'server' },
        { by: 'test' },
      );
      const blocks = await createKey(
        own.dataSource,
        { environment: 'production', kind: 'blocks' },
        { by: 'test' },
      );
      expect([users.key, blocks.key]).toEqual([
        expect.stringMatching(/^users-[A-Za-z0-9_-]{43}$/),
        expect.stringMatching(/^blocks-[A-Za-z0-9_-]{43}$/),
      ]);
      const secret = await createKey(
        own.dataSource,
        { environment: 'staging', kind: 'blocks', isSecret: true },
        { by: 'test' },
      );
      expect(secret.key).toMatch(/^blocks-secret-[A-Za-z0-9_-]{43}$/);
      const listed = await listKeys(own.dataSource, 'production');
      expect(listed).toEqual([{ ...users, key: null }, blocks]);
      const stored = await own.dataSource.query('SELECT hash, secret FROM api_keys WHERE id = $1', [
        users.id,
      ]);
      expect(stored).toEqual([{ hash: hashKey(users.key), secret: null }]);
    });

    test.each([
      ['', 0],
      ['x'.repeat(129), 129],
    ])('cannot be named %j', async (name, length) => {
      await expect(
        createKey(
          own.dataSource,
          { environment: 'development', kind: 'users', name },
          { by: 'test' },
        ),
      ).rejects.toMatchObject({
        code: 'request.invalid',
        message: `the name of a key has 1 to 128 characters, this one has ${length}`,
      });
    });

    test('can be named with 128 characters of any script', async () => {
      const name = '👋'.repeat(128);
      expect(
        await createKey(
          own.dataSource,
          { environment: 'development', kind: 'users', name },
          { by: 'test' },
        ),
      ).toMatchObject({
        name,
      });
    });

    test('are good in their environment and for their kind, until they are revoked or expired', async () => {
      const { id, key } = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'users' },
        { by: 'test' },
      );
      const expired = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'users', expiresInMs: 0 },
        { by: 'test' },
      );
      const isGood = (environment: string, kind: 'users' | 'blocks', text = key) =>
        isGoodKey(own.dataSource, environment, kind, text);
      expect(await isGood('development', 'users')).toBe(true);
      expect(await isGood('production', 'users')).toBe(false);
      expect(await isGood('development', 'blocks')).toBe(false);
      expect(await isGood('development', 'users', expired.key)).toBe(false);
      await revokeKey(own.dataSource, id, { by: 'test' });
      expect(await isGood('development', 'users')).toBe(false);
    });

    test('expire by the clock of the database', async () => {
      const key = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'users', expiresInMs: 90_000 },
        { by: 'test' },
      );
      expect(key.expiresAt!.getTime() - key.createdAt.getTime()).toBe(90_000);
    });

    test('are revoked for ever, and the first time counts', async () => {
      const { id } = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'users' },
        { by: 'test' },
      );
      const { revokedAt } = await revokeKey(own.dataSource, id, { by: 'test' });
      expect(revokedAt).toBeInstanceOf(Date);
      expect((await revokeKey(own.dataSource, id, { by: 'test' })).revokedAt).toEqual(revokedAt);
    });

    test.each(['x', '00000000-0000-0000-0000-000000000000'])('the id %s is unknown', async (id) => {
      await expect(revokeKey(own.dataSource, id, { by: 'test' })).rejects.toMatchObject({
        code: 'key.unknown',
      });
    });
  });

  const isOpen = (ring: KeyRing, id: string) => ring.findOpen(id) !== undefined;

  describe('the key ring', () => {
    test('knows a key that was made after it was loaded, without waiting to be told (W1)', async () => {
      const ring = new KeyRing(new Database(own.dataSource));
      await ring.refresh();
      const { id, key } = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'users' },
        { by: 'test' },
      );
      expect(ring.find(key, 'users')).toBeUndefined();
      const { id: environmentId } = await getEnvironment(own.dataSource, 'development');
      expect((await ring.authenticate(key, 'users')).caller).toEqual({
        environmentId,
        keyId: id,
        isSecret: true,
      });
      expect([
        isOpen(ring, id),
        ring.find(key, 'users')?.caller.keyId,
        ring.find(key, 'blocks'),
      ]).toEqual([true, id, undefined]);
    });

    test('is told of a revoked key (W1)', async () => {
      const ring = new KeyRing(new Database(own.dataSource));
      const watch = new ReferenceWatch(new Database(own.dataSource));
      ring.follow(watch);
      const { id, key } = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'blocks' },
        { by: 'test' },
      );
      await ring.authenticate(key, 'blocks');
      await watch.poll();
      await revokeKey(own.dataSource, id, { by: 'test' });
      await watch.poll();
      await until(() => !isOpen(ring, id));
      await expect(ring.authenticate(key, 'blocks')).rejects.toMatchObject({ code: 'key.refused' });
    });

    test('a secret key that came from a page is noted with the key (V1)', async () => {
      const database = new Database(own.dataSource);
      const use = new KeyUse(database);
      const { id } = await createKey(
        own.dataSource,
        { environment: 'production', kind: 'blocks', isSecret: true },
        { by: 'test' },
      );
      use.noteBrowser(id);
      await use.write();
      const found = (await listKeys(own.dataSource, 'production')).find((key) => key.id === id)!;
      expect(found.seenInBrowserAt!.getTime()).toBeGreaterThan(Date.now() - 120_000);
      expect(found.lastUsedAt).toBe(null);
    });

    test('tells which keys were used, which is written down to the minute by one statement', async () => {
      const database = new Database(own.dataSource);
      const use = new KeyUse(database);
      const ring = new KeyRing(database, (keyId) => use.note(keyId));
      const keys = [];
      for (const kind of ['users', 'blocks', 'blocks'] as const)
        keys.push(
          await createKey(own.dataSource, { environment: 'production', kind }, { by: 'test' }),
        );
      const [users, blocks, unused] = keys as [
        KeyView & { key: string },
        KeyView & { key: string },
        KeyView,
      ];
      await ring.authenticate(users.key, 'users');
      await expect(ring.authenticate(users.key, 'blocks')).rejects.toMatchObject({
        code: 'key.refused',
      });
      ring.findOpen(blocks.id);
      let statements = 0;
      const { run } = database;
      database.run = (...asked) => (statements++, run.apply(database, asked) as never);
      await use.write();
      await use.write();
      expect(statements).toBe(1);
      const listed = new Map(
        (await listKeys(own.dataSource, 'production')).map(({ id, lastUsedAt }) => [
          id,
          lastUsedAt,
        ]),
      );
      for (const { id } of [users, blocks])
        expect(listed.get(id)?.getTime()).toBeGreaterThan(Date.now() - 120_000);
      expect(listed.get(users.id)?.getSeconds()).toBe(0);
      expect(listed.get(unused.id)).toBeNull();
    });

    test('keeps what could not be written down for the next time', async () => {
      const { id } = await createKey(
        own.dataSource,
        { environment: 'production', kind: 'users' },
        { by: 'test' },
      );
      const database = new Database(own.dataSource);
      const use = new KeyUse(database);
      const { run } = database;
      use.note(id);
      database.run = () => Promise.reject(new Error('away'));
      await expect(use.write()).rejects.toThrow('away');
      database.run = run;
      await use.stop();
      const listed = await listKeys(own.dataSource, 'production');
      expect(listed.find((key) => key.id === id)?.lastUsedAt).toBeInstanceOf(Date);
    });

    test('keeps a key open whatever the wall clock of the process says, until its time is over', async () => {
      const wallClock = jest.spyOn(Date, 'now');
      for (const ahead of [-1, 1]) {
        wallClock.mockReturnValue(performance.timeOrigin + ahead * 366 * 86_400_000);
        const ring = new KeyRing(new Database(own.dataSource));
        const { id } = await createKey(
          own.dataSource,
          { environment: 'development', kind: 'users', expiresInMs: 86_400_000 },
          { by: 'test' },
        );
        await ring.refresh();
        expect(isOpen(ring, id)).toBe(true);
      }
      wallClock.mockRestore();

      let clock = 0;
      const ring = new KeyRing(new Database(own.dataSource), undefined, () => clock);
      const { id, key } = await createKey(
        own.dataSource,
        { environment: 'development', kind: 'users', expiresInMs: 60_000 },
        { by: 'test' },
      );
      await ring.refresh();
      expect([isOpen(ring, id), ring.find(key, 'users')?.caller.keyId]).toEqual([true, id]);
      clock = 60_001;
      expect([isOpen(ring, id), ring.find(key, 'users')]).toEqual([false, undefined]);
    });

    test('looks once for many keys it does not know, and not at all for what is no key', async () => {
      let loads = 0;
      const database = new Database(own.dataSource);
      const { run } = database;
      database.run = (statement, values) => {
        if (statement.name === 'load_api_keys') loads++;
        return run.call(database, statement, values) as never;
      };
      const ring = new KeyRing(database);
      await ring.refresh();
      loads = 0;
      const strangers = Array.from({ length: 50 }, (_, index) => `users-${index}`);
      await Promise.allSettled(strangers.map((key) => ring.authenticate(key, 'users')));
      expect(loads).toBe(1);
      await Promise.allSettled(
        ['x', '', `users-${'x'.repeat(300)}`, undefined].map((key) =>
          ring.authenticate(key, 'users'),
        ),
      );
      expect(loads).toBe(1);
    });
  });
});
