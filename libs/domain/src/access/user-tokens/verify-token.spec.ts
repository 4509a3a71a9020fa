import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import type { RingEnvironment } from './ring-environment.js';
import { algorithmOf, toPem } from '../signers/public-key.js';
import type { CurrentSigner } from './user-token.js';
import { VerifiedTokens } from './verified-tokens.js';
import { verifyToken } from './verify-token.js';

const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1_000;
const DAY = 24 * 3_600;

const keys = {
  ed: generateKeyPairSync('ed25519'),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  stranger: generateKeyPairSync('ed25519'),
};
const signer = (name: string, key: KeyObject): CurrentSigner => ({
  id: `id of ${name}`,
  environmentId: 'e1',
  name,
  key,
  algorithm: algorithmOf(key),
});
const environment: RingEnvironment = {
  id: 'e1',
  name: 'production',
  verification: 'required',
  signers: new Map(
    ['ed', 'ec', 'rsa'].map((name) => [name, signer(name, keys[name as 'ed'].publicKey)]),
  ),
};

const HEADER = { kid: 'ed', alg: 'EdDSA' };
const CLAIMS = { sub: 'ada', aud: 'production', exp: SECONDS + 3_600 };
const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signed by hand, so that what no library would sign can be said. */
function mint(
  claims: unknown = CLAIMS,
  header: unknown = HEADER,
  key: KeyObject = keys.ed.privateKey,
): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}
const check = (token: string, at = NOW) => verifyToken(token, environment, at);

describe('a user token', () => {
  test.each([
    ['ed', 'EdDSA'],
    ['ed', 'Ed25519'],
    ['ec', 'ES256'],
    ['rsa', 'RS256'],
  ] as const)(
    "of the signer %s is taken with %s, its key's own algorithm (V3)",
    async (kid, alg) => {
      const jwt = new SignJWT({ groups: ['acme'], force: true }).setProtectedHeader({ alg, kid });
      const token = await jwt
        .setSubject('ada')
        .setAudience(['staging', 'production'])
        .setExpirationTime(SECONDS + 60)
        .sign(keys[kid].privateKey);
      expect(await check(token)).toEqual({
        signer: environment.signers.get(kid),
        user: 'ada',
        groups: ['acme'],
        mayForce: true,
        refusedAt: NOW + 90_000,
      });
    },
  );

  test('names no groups and allows no force unless it says so (V3)', async () => {
    expect(await check(mint())).toMatchObject({ user: 'ada', groups: [], mayForce: false });
    expect(await check(mint({ ...CLAIMS, outcome: 'missing', reason: 'x' }))).toMatchObject({
      user: 'ada',
    });
  });

  test('may be 30 seconds late or early, and expire 30 days ahead (V3)', async () => {
    for (const claims of [
      { exp: SECONDS - 29 },
      { nbf: SECONDS + 29 },
      { exp: SECONDS + 30 * DAY },
    ])
      expect(await check(mint({ ...CLAIMS, ...claims }))).toMatchObject({ user: 'ada' });
  });

  const hmac = (secret: string): string => {
    const text = `${part({ kid: 'ed', alg: 'HS256' })}.${part(CLAIMS)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const [head, body, signature] = mint().split('.') as [string, string, string];
  const wrong: [string, string, RegExp][] = [
    ['alg none', `${part({ kid: 'ed', alg: 'none' })}.${body}.${signature}`, /"alg" is not EdDSA/],
    ['alg none without a signature', `${part({ kid: 'ed', alg: 'none' })}.${body}.`, /not a JWT/],
    ['HS256 signed with the public key', hmac(toPem(keys.ed.publicKey)), /"alg" is not EdDSA/],
    [
      'the algorithm of another key',
      mint(CLAIMS, { kid: 'ec', alg: 'EdDSA' }),
      /"alg" is not ES256/,
    ],
    [
      'the kid of another signer',
      mint(CLAIMS, { kid: 'rsa', alg: 'RS256' }),
      /signature is not that/,
    ],
    ['a stranger', mint(CLAIMS, HEADER, keys.stranger.privateKey), /signature is not that/],
    ['an unknown kid', mint(CLAIMS, { ...HEADER, kid: 'nobody' }), /"kid"/],
    ['a path as kid', mint(CLAIMS, { ...HEADER, kid: '../../dev/null' }), /"kid"/],
    ['a name of the language as kid', mint(CLAIMS, { ...HEADER, kid: '__proto__' }), /"kid"/],
    ['a kid that is no text', mint(CLAIMS, { ...HEADER, kid: ['ed'] }), /"kid"/],
    ['no kid', mint(CLAIMS, { alg: 'EdDSA' }), /"kid"/],
    [
      'a key of its own',
      mint(
        CLAIMS,
        { alg: 'EdDSA', jwk: keys.stranger.publicKey.export({ format: 'jwk' }) },
        keys.stranger.privateKey,
      ),
      /"kid"/,
    ],
    [
      'an address for its key',
      mint(CLAIMS, { ...HEADER, jku: 'http://127.0.0.1:1/' }, keys.stranger.privateKey),
      /signature is not that/,
    ],
    ['crit', mint(CLAIMS, { ...HEADER, crit: ['b64'], b64: true }), /"crit"/],
    ['an empty crit', mint(CLAIMS, { ...HEADER, crit: [] }), /"crit"/],
    ['no exp', mint({ ...CLAIMS, exp: undefined }), /"exp" has to be a number/],
    [
      'an exp that is a text',
      mint({ ...CLAIMS, exp: String(CLAIMS.exp) }),
      /"exp" has to be a number/,
    ],
    ['an exp that is null', mint({ ...CLAIMS, exp: null }), /"exp" has to be a number/],
    [
      'an exp that is infinite',
      mint(JSON.stringify(CLAIMS).replace(/"exp":\d+/, '"exp":1e999')),
      /more than 30 days/,
    ],
    ['an exp too far', mint({ ...CLAIMS, exp: SECONDS + 30 * DAY + 31 }), /more than 30 days/],
    ['an nbf ahead', mint({ ...CLAIMS, nbf: SECONDS + 31 }), /"nbf"/],
    ['an nbf that is a text', mint({ ...CLAIMS, nbf: 'x' }), /"nbf"/],
    ['an iat that is a text', mint({ ...CLAIMS, iat: 'x' }), /"iat"/],
    ['no aud', mint({ ...CLAIMS, aud: undefined }), /"aud"/],
    ['another aud', mint({ ...CLAIMS, aud: 'development' }), /"aud"/],
    ['a list without it', mint({ ...CLAIMS, aud: ['development', ['production']] }), /"aud"/],
    ['no sub', mint({ ...CLAIMS, sub: undefined }), /"sub"/],
    ['an empty sub', mint({ ...CLAIMS, sub: '' }), /"sub"/],
    ['a sub that is a list', mint({ ...CLAIMS, sub: ['ada'] }), /"sub"/],
    ['groups that are a text', mint({ ...CLAIMS, groups: 'acme' }), /"groups"/],
    ['groups of numbers', mint({ ...CLAIMS, groups: [1] }), /"groups"/],
    ['force that is a text', mint({ ...CLAIMS, force: 'true' }), /"force"/],
    ['claims that are a list', mint([]), /not a JWT/],
    ['claims that are no JSON', mint('{'), /not a JWT/],
    ['a header that is no object', mint(CLAIMS, 'null'), /not a JWT/],
    ['too many characters', mint({ ...CLAIMS, groups: ['x'.repeat(4_000)] }), /longer than 4096/],
    ['padding', `${head}.${body}.${signature}==`, /not a JWT/],
    [
      'bits that decoders ignore',
      `${head}.${body}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'h'}`,
      /not a JWT|signature/,
    ],
    ['the other alphabet', `${head}.${body}.${'+'.repeat(86)}`, /not a JWT/],
    ['two parts', `${head}.${body}`, /not a JWT/],
    ['four parts', `${mint()}.x`, /not a JWT/],
    ['a dot before it', `.${mint()}`, /not a JWT/],
    ['blanks', `${mint()} `, /not a JWT/],
    [
      'claims of another token',
      `${head}.${part({ ...CLAIMS, sub: 'bob' })}.${signature}`,
      /signature is not that/,
    ],
  ];

  test.each(wrong)(
    'with %s is invalid, and its reason says why without repeating it (V3, V6)',
    async (_, token, reason) => {
      const problem = await check(token);
      expect(problem).toEqual({ outcome: 'invalid', reason: expect.stringMatching(reason) });
    },
  );

  test('that has passed is expired before its audience is looked at, after its signature (V6)', async () => {
    const past = { ...CLAIMS, exp: SECONDS - 31, aud: 'elsewhere' };
    expect(await check(mint(past))).toMatchObject({ outcome: 'expired' });
    expect(await check(mint(past, HEADER, keys.stranger.privateKey))).toMatchObject({
      outcome: 'invalid',
    });
  });
});

describe('verified tokens', () => {
  let now: number;
  let tokens: VerifiedTokens;
  beforeEach(() => {
    now = NOW;
    tokens = new VerifiedTokens(() => now);
  });

  test('are remembered until they expire (V8)', async () => {
    const token = mint();
    expect(tokens.find(token, environment)).toBeUndefined();
    const verified = await tokens.verify(token, environment);
    expect(tokens.find(token, environment)).toBe(verified);
    now += 3_600_000 + 30_000;
    expect(tokens.find(token, environment)).toMatchObject({ outcome: 'expired' });
  });

  test('are forgotten when their signer goes, also where another one takes its name (V8)', async () => {
    const token = mint();
    await tokens.verify(token, environment);
    const replaced = new Map(environment.signers).set('ed', signer('ed', keys.stranger.publicKey));
    for (const signers of [new Map<string, CurrentSigner>(), replaced]) {
      const changed = { ...environment, signers };
      expect(tokens.find(token, changed)).toBeUndefined();
      expect(await tokens.verify(token, changed)).toMatchObject({ outcome: 'invalid' });
    }
  });

  test('hold for the environment they were verified in (V8)', async () => {
    const token = mint();
    await tokens.verify(token, environment);
    expect(tokens.find(token, { ...environment, id: 'e2' })).toBeUndefined();
  });

  test('that were refused are not remembered (V8)', async () => {
    await tokens.verify('x', environment);
    expect(tokens.find('x', environment)).toBeUndefined();
  });

  test('are verified once for requests that come at once (V8)', async () => {
    const token = mint();
    const [one, other] = await Promise.all([
      tokens.verify(token, environment),
      tokens.verify(token, environment),
    ]);
    expect(one).toBe(other);
  });
});
