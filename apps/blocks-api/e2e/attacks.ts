import { toPem } from '@waymark/domain/access';
import { mintWithSecret, tokenPart } from '@waymark/testing/tokens';
import { type Identity, seconds } from './identity.js';

/**
 * What somebody tries who has a page's key and a token of Ada, to get at Bob or beyond what Ada
 * may.
 */
export interface Attack {
  readonly name: string;
  readonly credential: (identity: Identity) => string;
  /** Whose state is requested, and with what; Ada's, plainly, unless it says otherwise. */
  readonly user?: string;
  readonly group?: string;
  readonly force?: boolean;
  readonly status: 401 | 403;
  /** What the refusal has to name. */
  readonly says: RegExp;
}

const HEADER = { alg: 'EdDSA', kid: 'app' };
const claims = () => ({ sub: 'ada', aud: 'development', exp: seconds() + 3_600 });
const behind = (token: (identity: Identity) => string) => (identity: Identity) =>
  `${identity.publicKey}.${token(identity)}`;
const forged = (name: string, token: (identity: Identity) => string, says: RegExp): Attack => ({
  name,
  credential: behind(token),
  status: 401,
  says,
});
const claimed = (name: string, change: () => object, says: RegExp): Attack =>
  forged(name, (identity) => identity.token('ada', change()), says);

/** The table of V10, each to be run against every route and against the sockets. */
export const ATTACKS: readonly Attack[] = [
  forged('no token', () => '', /there is none/),
  {
    name: 'the key alone',
    credential: ({ publicKey }) => publicKey,
    status: 401,
    says: /there is none/,
  },
  forged(
    'alg none',
    () => `${tokenPart({ ...HEADER, alg: 'none' })}.${tokenPart(claims())}.`,
    /not a JWT/,
  ),
  forged(
    'alg none with a signature',
    () => `${tokenPart({ ...HEADER, alg: 'none' })}.${tokenPart(claims())}.x_`,
    /not a JWT|"alg"/,
  ),
  forged('alg NoNe', (identity) => identity.token('ada', {}, { alg: 'NoNe' }), /"alg"/),
  forged(
    'HS256 signed with the public key',
    ({ pair }) => mintWithSecret(toPem(pair.publicKey), { ...HEADER, alg: 'HS256' }, claims()),
    /"alg"/,
  ),
  forged(
    "the kid of another environment's signer",
    (identity) => identity.token('ada', {}, { kid: 'elsewhere' }),
    /"kid"/,
  ),
  forged(
    'a kid that is a path',
    (identity) => identity.token('ada', {}, { kid: '../../../etc/passwd' }),
    /"kid"/,
  ),
  forged(
    'a kid that is SQL',
    (identity) => identity.token('ada', {}, { kid: "app' OR '1'='1" }),
    /"kid"/,
  ),
  forged('no kid', (identity) => identity.token('ada', {}, { kid: undefined }), /"kid"/),
  forged(
    'a key of its own',
    (identity) =>
      identity.token(
        'ada',
        {},
        { jwk: identity.stranger.publicKey.export({ format: 'jwk' }) },
        identity.stranger.privateKey,
      ),
    /signature/,
  ),
  forged('crit', (identity) => identity.token('ada', {}, { crit: ['exp'] }), /"crit"/),
  forged(
    "another's signature",
    (identity) => identity.token('ada', {}, {}, identity.stranger.privateKey),
    /signature/,
  ),
  forged(
    'a signature of other claims',
    (identity) => swapClaims(identity.token('bob'), claims()),
    /signature/,
  ),
  claimed('no exp', () => ({ exp: undefined }), /"exp"/),
  claimed('an exp that is a text', () => ({ exp: String(seconds() + 60) }), /"exp"/),
  claimed('an exp that has passed', () => ({ exp: seconds() - 31 }), /expired/),
  claimed('an exp too far ahead', () => ({ exp: seconds() + 31 * 24 * 3_600 }), /"exp"/),
  claimed('an nbf ahead', () => ({ nbf: seconds() + 60 }), /"nbf"/),
  claimed('an iat that is a text', () => ({ iat: 'now' }), /"iat"/),
  claimed('the aud of another environment', () => ({ aud: 'production' }), /"aud"/),
  claimed('no aud', () => ({ aud: undefined }), /"aud"/),
  claimed('a sub with a control character', () => ({ sub: 'ada\u0000' }), /"sub"/),
  claimed('an over-long sub', () => ({ sub: 'a'.repeat(600) }), /"sub"/),
  claimed('a sub that begins alike', () => ({ sub: 'ada ' }), /"sub"/),
  claimed('a sub in capitals', () => ({ sub: 'ADA' }), /"sub"/),
  claimed('a sub that is a list', () => ({ sub: ['ada'] }), /"sub"/),
  claimed('too many characters', () => ({ x: 'x'.repeat(4_096) }), /longer than 4096/),
  forged('padding', (identity) => `${identity.token('ada')}==`, /not a JWT/),
  forged('two dots', (identity) => `.${identity.token('ada')}`, /not a JWT/),
  forged(
    'a token behind a token',
    (identity) => `${identity.token('bob')}.${identity.token('ada')}`,
    /not a JWT/,
  ),
  {
    name: "Ada's token for Bob",
    credential: (identity) => identity.page('ada'),
    user: 'bob',
    status: 401,
    says: /"sub"/,
  },
  {
    name: 'a group that is not in groups',
    credential: (identity) => identity.page('ada', { groups: ['acme'] }),
    group: 'globex',
    status: 403,
    says: /"groups"/,
  },
  {
    name: 'a group without groups',
    credential: (identity) => identity.page('ada'),
    group: 'acme',
    status: 403,
    says: /"groups"/,
  },
  {
    name: 'a token behind a secret key',
    credential: (identity) => `${identity.secretKey}.${identity.token('ada')}`,
    status: 401,
    says: /secret key/,
  },
];

/** Only requests can ask for it; a watch never starts anything. */
export const FORCE: Attack = {
  name: 'force without the claim',
  credential: (identity) => identity.page('ada'),
  force: true,
  status: 403,
  says: /"force"/,
};

const swapClaims = (token: string, other: object): string => {
  const [header, , signature] = token.split('.');
  return `${header}.${tokenPart(other)}.${signature}`;
};
