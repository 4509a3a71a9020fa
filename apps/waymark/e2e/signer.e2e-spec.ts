import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
});
afterAll(() => fixture.close());

const signer = (...args: string[]) => fixture.run('signer', ...args);
const pem = { format: 'pem', type: 'spki' } as const;

test('signers are created, added, listed and removed, and no private key is kept (V2)', async () => {
  expect((await signer('list')).stdout).toBe('there are no signers in development\n');
  const { stdout: privateKey, stderr } = await signer('create', 'web');
  expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^]*\n-----END PRIVATE KEY-----\n$/);
  expect(stderr).toContain('it is not shown again and not stored');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await fixture.write('public.pem', publicKey.export(pem).toString());
  expect((await signer('add', 'app', '--public-key', 'public.pem')).stdout).toMatch(
    /^added: signer app of development, ES256, /,
  );

  const { signers } = (await fixture.run('--json', 'signer', 'list')).json() as {
    signers: Record<string, string>[];
  };
  const row = (name: string, algorithm: string) => ({
    ...{ name, algorithm, environment: 'development' },
    ...{ fingerprint: expect.any(String), createdAt: expect.any(String) },
  });
  expect(signers).toEqual([row('app', 'ES256'), row('web', 'EdDSA')]);
  const { stdout } = await signer('list');
  for (const { name, algorithm, fingerprint } of signers)
    expect(stdout).toMatch(
      new RegExp(`^${name} .*${algorithm}.*${fingerprint!.replace(/[+/]/g, '\\$&')}`, 'm'),
    );
  expect((await fixture.run('--env', 'production', 'signer', 'list')).stdout).toBe(
    'there are no signers in production\n',
  );

  expect((await signer('remove', 'web')).stdout).toBe('removed: signer web of development\n');
  expect((await fixture.run('--json', 'signer', 'list')).json()).toMatchObject({
    signers: [{ name: 'app' }],
  });
});

test('what cannot sign is refused, each with a sentence (V2)', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  await fixture.write(
    'private.pem',
    privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  );
  const runs = await Promise.all([
    signer('add', 'x', '--public-key', 'private.pem'),
    signer('add', 'x', '--public-key', 'missing.pem'),
    signer('remove', 'nobody'),
    signer('add', 'x'),
  ]);
  expect(runs.map(({ status }) => status)).toEqual([1, 1, 1, 2]);
  expect(runs.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('private'),
    expect.stringContaining('missing.pem cannot be read'),
    expect.stringContaining('there is no signer "nobody"'),
    expect.stringContaining('--public-key'),
  ]);
});
