import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useTestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { SignJWT } from 'jose';
import { listAudit } from '../../database/audit/index.js';
import { Database, ReferenceWatch } from '../../database/index.js';
import {
  addSigner,
  ApiKeyGuard,
  createEnvironment,
  createKey,
  createSigner,
  KeyRing,
  listSigners,
  removeSigner,
  setVerification,
  toPem,
  type VerificationMode,
} from '../index.js';

const AUTHOR = { by: 'test' };

const own = useTestDatabase();

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const mint = (kid: string, aud: string, claims = {}, key: KeyObject = privateKey) => {
  const jwt = new SignJWT({ sub: 'ada', ...claims }).setProtectedHeader({ alg: 'EdDSA', kid });
  return jwt.setAudience(aud).setExpirationTime('1h').sign(key);
};

describe('signers', () => {
  const wanted = { environment: 'development', name: 'app', publicKey: toPem(publicKey) };

  test('are added, listed by name and removed, each with a row in the audit log (V2, I7)', async () => {
    const added = await addSigner(own.dataSource, wanted, AUTHOR);
    const made = await createSigner(
      own.dataSource,
      { environment: 'development', name: 'a1' },
      AUTHOR,
    );
    const { privateKey: shown, ...stored } = made;
    expect(shown).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(await listSigners(own.dataSource, 'development')).toEqual([stored, added]);
    expect(await listSigners(own.dataSource, 'production')).toEqual([]);
    await removeSigner(own.dataSource, { environment: 'development', name: 'a1' }, AUTHOR);
    expect(await listSigners(own.dataSource, 'development')).toEqual([added]);
    const rows = await listAudit(own.dataSource.manager, { what: 'signer' });
    expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
      ['signer.remove', 'signer a1'],
      ['signer.add', 'signer a1'],
      ['signer.add', 'signer app'],
    ]);
    expect(JSON.stringify(await own.dataSource.query('SELECT * FROM signers'))).not.toContain(
      'PRIVATE',
    );
  });

  test('have names of their own in the form of those of environments (V2)', async () => {
    await expect(addSigner(own.dataSource, wanted, AUTHOR)).rejects.toThrow(
      'signer "app" exists already',
    );
    await expect(addSigner(own.dataSource, { ...wanted, name: '../x' }, AUTHOR)).rejects.toThrow(
      /^signer name/,
    );
    const absent = removeSigner(
      own.dataSource,
      { environment: 'development', name: 'nobody' },
      AUTHOR,
    );
    await expect(absent).rejects.toThrow(
      'there is no signer "nobody" in development (there are: app)',
    );
  });
});

describe('the guard', () => {
  let environments = 0;

  /**
   * An environment of its own with a signer, a public and a secret key, and a guard that follows
   * the database.
   */
  async function fixture(mode: VerificationMode) {
    const environment = `verified-${++environments}`;
    const { id } = await createEnvironment(own.dataSource, environment, AUTHOR);
    await addSigner(
      own.dataSource,
      { environment, name: 'app', publicKey: toPem(publicKey) },
      AUTHOR,
    );
    await setVerification(own.dataSource, environment, mode, AUTHOR);
    const open = await createKey(own.dataSource, { environment, kind: 'blocks' }, AUTHOR);
    const secret = await createKey(
      own.dataSource,
      { environment, kind: 'blocks', isSecret: true },
      AUTHOR,
    );
    const counted: string[] = [];
    const ring = new KeyRing(new Database(own.dataSource));
    const watch = new ReferenceWatch(new Database(own.dataSource));
    ring.follow(watch);
    await watch.poll();
    await ring.refresh();
    const guard = new ApiKeyGuard(ring, (keyId, outcome) =>
      counted.push(`${keyId === open.id} ${outcome}`),
    );
    const enter = (credential: string) => guard.authenticate(credential, 'blocks');
    return { id, environment, key: open.key, secret: secret.key, guard, enter, counted, watch };
  }

  test('looks at no token where verification is off, whatever it is (V5)', async () => {
    const { key, enter, guard, counted } = await fixture('off');
    for (const credential of [key, `${key}.`, `${key}.x`, `${key}.${'x'.repeat(9_000)}`]) {
      expect(await enter(credential)).toMatchObject({ isSecret: false });
      expect(guard.find(credential, 'blocks')).toMatchObject({ isSecret: false });
      expect(guard.authorize(await enter(credential), { user: 'bob', force: true })).toMatchObject({
        user: 'bob',
      });
    }
    expect(counted).toEqual([]);
  });

  test('refuses nobody and counts every outcome once, by key, where it observes (V5)', async () => {
    const { key, environment, enter, guard, counted } = await fixture('observe');
    const token = await mint('app', environment, { groups: ['acme'] });
    const expired = await mint('app', environment, { exp: 1 });
    const ask = async (
      credential: string,
      asked: { user: string; group?: string; force?: boolean },
    ) => guard.authorize(guard.find(credential, 'blocks') ?? (await enter(credential)), asked);
    await ask(key, { user: 'ada' });
    await ask(`${key}.`, { user: 'ada' });
    await ask(`${key}.x`, { user: 'ada' });
    await ask(`${key}.${token}`, { user: 'ada', group: 'acme' });
    await ask(`${key}.${token}`, { user: 'ada', group: 'acme' });
    await ask(`${key}.${token}`, { user: 'bob' });
    await ask(`${key}.${token}`, { user: 'ada', group: 'globex' });
    await ask(`${key}.${token}`, { user: 'ada', force: true });
    expect(counted).toEqual(
      [
        'missing',
        'missing',
        'invalid',
        'valid',
        'valid',
        'other_user',
        'forbidden',
        'forbidden',
      ].map((outcome) => `true ${outcome}`),
    );
    expect(await enter(`${key}.${expired}`)).toMatchObject({ isSecret: false });
  });

  test("refuses a missing, a bad and another user's token where one is required, and lets the user's own pass (V6)", async () => {
    const { id, key, environment, enter, guard } = await fixture('required');
    const caller = await enter(`${key}.${await mint('app', environment, { groups: ['acme'] })}`);
    expect(guard.authorize(caller, { user: 'ada', group: 'acme' })).toEqual({
      environmentId: id,
      user: 'ada',
      group: 'acme',
    });
    for (const credential of [
      key,
      `${key}.`,
      `${key}.x`,
      `${key}.${await mint('app', 'elsewhere')}`,
    ]) {
      expect(guard.find(credential, 'blocks')).toBeUndefined();
      await expect(enter(credential)).rejects.toMatchObject({ code: 'token.refused' });
    }
    const refusalOf = (asked: { user: string; group?: string; force?: boolean }) => {
      try {
        return guard.authorize(caller, asked);
      } catch (error) {
        return error;
      }
    };
    expect(refusalOf({ user: 'bob' })).toMatchObject({
      code: 'token.refused',
      message: expect.stringContaining('"sub"'),
    });
    expect(refusalOf({ user: 'ada', group: 'x' })).toMatchObject({
      code: 'token.forbidden',
      message: expect.stringContaining('"groups"'),
    });
    expect(refusalOf({ user: 'ada', force: true })).toMatchObject({
      code: 'token.forbidden',
      message: expect.stringContaining('"force"'),
    });
  });

  test('refuses what a token asks for that was good when its request began, and whose signer is gone by now (V8)', async () => {
    const { key, environment, enter, guard, watch } = await fixture('required');
    const caller = await enter(`${key}.${await mint('app', environment)}`);
    expect(guard.authorize(caller, { user: 'ada' })).toMatchObject({ user: 'ada' });
    await removeSigner(own.dataSource, { environment, name: 'app' }, AUTHOR);
    await watch.poll();
    const isRefused = (): boolean => {
      try {
        return !guard.authorize(caller, { user: 'ada' });
      } catch (error) {
        expect(error).toMatchObject({
          code: 'token.refused',
          message: expect.stringContaining('its signer was removed'),
        });
        return true;
      }
    };
    await until(() => Promise.resolve(isRefused()));
  });

  test.each(['off', 'observe', 'required'] as const)(
    'asks a secret key for no token, and refuses one behind it: %s (V1)',
    async (mode) => {
      const { secret, environment, enter, guard, counted } = await fixture(mode);
      expect(
        guard.authorize(guard.find(secret, 'blocks')!, { user: 'bob', force: true }),
      ).toMatchObject({ user: 'bob' });
      const credential = `${secret}.${await mint('app', environment)}`;
      expect(guard.find(credential, 'blocks')).toBeUndefined();
      await expect(enter(credential)).rejects.toMatchObject({ code: 'token.refused' });
      expect(counted).toEqual([]);
    },
  );

  test('is told of another mode and of a signer that was removed (V2, V7, V8)', async () => {
    const { key, environment, enter, guard, watch } = await fixture('required');
    const credential = `${key}.${await mint('app', environment)}`;
    const caller = await enter(credential);
    expect([
      guard.findClosed(caller, { user: 'ada' }),
      guard.find(credential, 'blocks')?.token?.user,
    ]).toEqual([undefined, 'ada']);
    expect(guard.findClosed(caller, { user: 'bob' })).toContain('"sub"');
    await removeSigner(own.dataSource, { environment, name: 'app' }, AUTHOR);
    await watch.poll();
    await until(
      () =>
        guard.findClosed(caller, { user: 'ada' }) ===
        'the signer of the user token of this socket was removed',
    );
    await expect(enter(credential)).rejects.toThrow('"kid"');
    await setVerification(own.dataSource, environment, 'off', AUTHOR);
    await watch.poll();
    await until(() => guard.find(key, 'blocks') !== undefined);
    const opened = await enter(key);
    expect(guard.findClosed(opened, { user: 'bob' })).toBeUndefined();
    await setVerification(own.dataSource, environment, 'required', AUTHOR);
    await watch.poll();
    await until(() => guard.findClosed(opened, { user: 'bob' }) !== undefined);
  });

  test('takes a key in the ring that somebody wrote by hand for no signer, and goes on (V2)', async () => {
    const { environment, enter, key } = await fixture('required');
    const [{ id }] = await own.dataSource.query('SELECT id FROM environments WHERE name = $1', [
      environment,
    ]);
    await own.dataSource.query(
      "INSERT INTO signers (environment_id, name, public_key) VALUES ($1, 'broken', 'x')",
      [id],
    );
    const ring = new KeyRing(new Database(own.dataSource));
    await ring.refresh();
    const credential = `${key}.${await mint('app', environment)}`;
    expect(await new ApiKeyGuard(ring).authenticate(credential, 'blocks')).toMatchObject({
      token: { user: 'ada' },
    });
    expect(await enter(credential)).toMatchObject({ isSecret: false });
  });
});
