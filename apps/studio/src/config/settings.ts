import {
  Choice,
  Flag,
  Holds,
  Integer,
  Port,
  readList,
  Setting,
  Url,
  Word,
} from '@waymark/service-kit/config';
import type { LevelWithSilent } from 'pino';

/** The settings of the studio. What depends on several of them is checked in `read-settings.ts`. */
export class StudioSettings {
  @Url('DATABASE_URL', ['postgres', 'postgresql'], {
    description:
      'the PostgreSQL database, migrated with `waymark migrate up`; a password in it is URL-encoded, one that it lacks is read from `PGPASSWORD` as it is; has to be given',
  })
  readonly databaseUrl!: string;

  @Word('HOST', {
    default: '127.0.0.1',
    description:
      'the address to listen on; another than loopback needs STUDIO_ACCESS and STUDIO_URL written out',
  })
  readonly host!: string;

  @Port(7072)
  readonly port!: number;

  @Choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'the least important lines to log',
  })
  readonly logLevel!: LevelWithSilent;

  @Integer('DATABASE_POOL_SIZE', {
    default: '10',
    min: 2,
    max: 1000,
    description: 'maximum PostgreSQL connections per process',
  })
  readonly poolSize!: number;

  @Flag('STUDIO_READ_ONLY', { default: 'off', description: 'on: nobody can change anything' })
  readonly readOnly!: boolean;

  @Choice('STUDIO_ACCESS', ['token', 'oidc'], {
    default: 'token',
    description:
      '`token`: anyone with the printed address; `oidc`: people who sign in with OpenID Connect',
  })
  readonly access!: 'token' | 'oidc';

  @Origin(
    'STUDIO_URL',
    'the address that people open, such as https://studio.example.com; needed for `oidc`',
  )
  readonly publicUrl?: string;

  @Token(
    'STUDIO_TOKEN',
    '32 to 200 letters, digits, - and _: the token of the printed address; made at the start without it',
  )
  readonly token?: string;

  @Line('WAYMARK_BY', {
    optional: true,
    description: 'whom the audit log names in `token` mode; the account without it',
  })
  readonly by?: string;

  @Url('STUDIO_OIDC_ISSUER', ['https', 'http'], {
    ...forOidc(),
    description: 'the OpenID Connect provider; http on loopback only',
  })
  readonly issuer?: string;

  @Word('STUDIO_OIDC_CLIENT_ID', { ...forOidc(), description: 'the client of the provider' })
  readonly clientId?: string;

  @Word('STUDIO_OIDC_CLIENT_SECRET', {
    optional: true,
    description: 'its secret, unless it is a public client',
  })
  readonly clientSecret?: string;

  @Line('STUDIO_OIDC_SCOPES', {
    default: 'openid email profile',
    description: 'what is asked of the provider',
  })
  readonly scopes!: string;

  @Flag('STUDIO_OIDC_REQUIRE_VERIFIED_EMAIL', {
    default: 'off',
    description:
      'on: an address counts only where the provider says `email_verified`; off: unless it says that it is not',
  })
  readonly requireVerifiedEmail!: boolean;

  @Word('STUDIO_SESSION_SECRET', {
    ...forOidc(),
    description: 'at least 32 characters, the same for every replica: sessions are sealed with it',
  })
  readonly sessionSecret?: string;

  @People(
    'STUDIO_EDITORS',
    'who may change things: addresses, `*@example.com`, `group:NAME`, separated by commas',
  )
  readonly editors?: readonly string[];

  @People('STUDIO_VIEWERS', 'who may look at things, in the same form; editors win')
  readonly viewers?: readonly string[];

  @Url('STUDIO_SAMPLE_URL', ['http', 'https'], {
    optional: true,
    description:
      'blocks-api for the sample application at `/see-it`, which `npm start` gives and nobody else needs',
  })
  readonly sampleUrl?: string;

  @Word('STUDIO_SAMPLE_KEY', {
    optional: true,
    description: 'the public blocks key of that application',
  })
  readonly sampleKey?: string;
}

/** Where a process listens that only this machine can reach. */
export const LOOPBACK = ['127.0.0.1', 'localhost', '::1', '[::1]'];

function forOidc() {
  return {
    neededWhen: {
      words: 'with STUDIO_ACCESS=oidc',
      holds: ({ access }: StudioSettings) => access === 'oidc',
    },
  };
}

function Origin(name: string, description: string): PropertyDecorator {
  const isOrigin = (text: unknown): boolean =>
    typeof text === 'string' &&
    URL.canParse(text) &&
    /^https?:\/\//.test(text) &&
    new URL(text).origin === text;
  const wrong = 'has to be an address without a path, such as https://studio.example.com';
  return Setting(
    { name, description, ...forOidc() },
    (text) => text.replace(/\/$/, ''),
    Holds('origin', isOrigin, wrong),
  );
}

/** A token that cannot be guessed; the page reads it from the address. */
function Token(name: string, description: string): PropertyDecorator {
  const isToken = (text: unknown): boolean =>
    typeof text === 'string' && /^[\w-]{32,200}$/.test(text);
  const wrong =
    'has to be 32 to 200 letters, digits, - and _, such as `openssl rand -hex 32` makes';
  return Setting(
    { name, description, optional: true },
    (text) => text,
    Holds('token', isToken, wrong),
  );
}

function Line(
  name: string,
  about: { description: string; default?: string; optional?: true },
): PropertyDecorator {
  const isLine = (text: unknown): boolean => typeof text === 'string' && !/\p{Cc}/u.test(text);
  return Setting({ name, ...about }, (text) => text, Holds('line', isLine, 'has to be one line'));
}

function People(name: string, description: string): PropertyDecorator {
  const isOne = (one: unknown): boolean =>
    typeof one === 'string' && /^(group:\S.*|(\*|[^\s*@]+)@[^\s*@]+)$/.test(one);
  const areAll = (all: unknown): boolean => Array.isArray(all) && all.every(isOne);
  const wrong = 'has to be addresses, *@example.com or group:NAME, separated by commas';
  const read = (text: string): unknown => readList(text.toLowerCase());
  return Setting({ name, description, optional: true }, read, Holds('people', areAll, wrong));
}
