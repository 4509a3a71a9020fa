import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { algorithmOf, fingerprintOf, parsePublicKey, toPem } from './public-key.js';

const pair = (type: 'ed25519' | 'ec' | 'rsa' | 'ed448' | 'rsa-pss', options = {}) =>
  generateKeyPairSync(type as 'rsa', options as never) as unknown as {
    publicKey: KeyObject;
    privateKey: KeyObject;
  };

const ED25519 = pair('ed25519');
const P256 = pair('ec', { namedCurve: 'P-256' });
const RSA = pair('rsa', { modulusLength: 2048 });

const pem = (key: KeyObject) => toPem(key);
const jwk = (key: KeyObject) => JSON.stringify(key.export({ format: 'jwk' }));
const refusalOf = (text: string): string => {
  try {
    parsePublicKey(text);
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

describe('the public key of a signer', () => {
  test.each([
    ['Ed25519', ED25519, 'EdDSA'],
    ['P-256', P256, 'ES256'],
    ['RSA', RSA, 'RS256'],
  ])(
    'may be %s, as PEM or JWK, and decides the algorithm (V2, V3)',
    (_, { publicKey }, algorithm) => {
      for (const text of [pem(publicKey), `\n${pem(publicKey)}\n`, jwk(publicKey)]) {
        const key = parsePublicKey(text);
        expect([algorithmOf(key), fingerprintOf(key), toPem(key)]).toEqual([
          algorithm,
          fingerprintOf(publicKey),
          pem(publicKey),
        ]);
      }
    },
  );

  test('may be an RSA key in its old PEM form (V2)', () => {
    expect(
      algorithmOf(
        parsePublicKey(RSA.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
      ),
    ).toBe('RS256');
  });

  test.each([ED25519, P256, RSA])(
    'is never a private one, which Node would take without a word (V2)',
    ({ privateKey, publicKey }) => {
      const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const encrypted = privateKey
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString();
      for (const text of [
        pkcs8,
        encrypted,
        pem(publicKey) + pkcs8,
        jwk(privateKey),
        '{"kty":"oct","k":"c2VjcmV0"}',
      ])
        expect(refusalOf(text)).toMatch(/^this is a private key/);
    },
  );

  test.each([
    [
      'RSA of 1024 bits',
      pem(pair('rsa', { modulusLength: 1024 }).publicKey),
      /this one is rsa of 1024 bits$/,
    ],
    [
      'RSA whose exponent forges itself',
      jwk(RSA.publicKey).replace('"AQAB"', '"AQ"'),
      /^the public key of a signer is/,
    ],
    [
      'RSA for PSS only',
      pem(pair('rsa-pss', { modulusLength: 2048 }).publicKey),
      /this one is rsa-pss/,
    ],
    [
      'another curve',
      pem(pair('ec', { namedCurve: 'P-384' }).publicKey),
      /this one is ec secp384r1$/,
    ],
    ['Ed448', pem(pair('ed448').publicKey), /this one is ed448$/],
    ['two keys', pem(P256.publicKey) + pem(RSA.publicKey), /not one PEM block of a PUBLIC KEY$/],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      /not one PEM block of a PUBLIC KEY$/,
    ],
    ['a JWKS', `{"keys":[${jwk(P256.publicKey)}]}`, /each of them as a signer/],
    ['broken PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /cannot be read$/],
    [
      'a point that is on no curve',
      jwk(P256.publicKey).replace(/"x":"...../, '"x":"AAAAA'),
      /cannot be read$/,
    ],
    ['broken JSON', '{"kty":', /cannot be read$/],
    ['nothing', '', /not one PEM block/],
  ])('is not %s (V2)', (_, text, message) => {
    expect(refusalOf(text)).toMatch(message);
  });
});
