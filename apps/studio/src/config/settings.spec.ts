import { describe, expect, test } from '@jest/globals';
import {
  describeSettings,
  exampleSettings,
  listSettings,
  readSettings,
  ServiceSettings,
} from '@waymark/service-kit/config';
import { readFile } from 'node:fs/promises';
import { checkSettings } from './read-settings.js';
import { StudioSettings } from './settings.js';

const DATABASE_URL = 'postgres://x@127.0.0.1/x';
const OIDC = {
  STUDIO_ACCESS: 'oidc',
  STUDIO_URL: 'https://studio.example.com',
  STUDIO_OIDC_ISSUER: 'https://id.example.com',
  STUDIO_OIDC_CLIENT_ID: 'studio',
  STUDIO_SESSION_SECRET: 'x'.repeat(32),
  STUDIO_EDITORS: 'Ann@Example.com, *@acme.test, group:Product People',
};

function problemsOf(given: Record<string, string>): string[] {
  const environment = { DATABASE_URL, ...given };
  return checkSettings(readSettings(StudioSettings, environment), environment);
}

describe('the settings of the studio', () => {
  test('need nothing but a database on loopback (T2)', () => {
    expect(problemsOf({})).toEqual([]);
  });

  test('ask for access and address to be written out where others can reach the studio (T2)', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })).toEqual([
      expect.stringContaining('STUDIO_ACCESS and STUDIO_URL'),
    ]);
    expect(problemsOf({ HOST: '0.0.0.0', STUDIO_ACCESS: 'token' })).toEqual([
      expect.stringContaining('STUDIO_URL'),
    ]);
    expect(
      problemsOf({ HOST: '0.0.0.0', STUDIO_ACCESS: 'token', STUDIO_URL: 'http://127.0.0.1:7072' }),
    ).toEqual([]);
  });

  test('refuse a token that can be guessed, or that the page could not read out of its address (T2)', () => {
    for (const STUDIO_TOKEN of ['a'.repeat(32), 'Ab-_9'.repeat(40)])
      expect(problemsOf({ STUDIO_TOKEN })).toEqual([]);
    for (const STUDIO_TOKEN of [
      'a'.repeat(31),
      'a'.repeat(201),
      'ä'.repeat(32),
      `${'a'.repeat(40)}/+=`,
      'a '.repeat(30),
    ])
      expect(() => problemsOf({ STUDIO_TOKEN })).toThrow(
        'STUDIO_TOKEN has to be 32 to 200 letters, digits, - and _, such as `openssl rand -hex 32` makes',
      );
  });

  test('of OpenID Connect are told together when they are missing (T3)', () => {
    expect(problemsOf(OIDC)).toEqual([]);
    expect(() => problemsOf({ STUDIO_ACCESS: 'oidc' })).toThrow(
      /STUDIO_URL .*STUDIO_OIDC_ISSUER .*STUDIO_OIDC_CLIENT_ID .*STUDIO_SESSION_SECRET has to be given with STUDIO_ACCESS=oidc/,
    );
    const nobody = {
      STUDIO_EDITORS: '',
      STUDIO_SESSION_SECRET: 'short',
      STUDIO_OIDC_SCOPES: 'email',
    };
    expect(problemsOf({ ...OIDC, ...nobody })).toEqual([
      expect.stringContaining('STUDIO_SESSION_SECRET needs at least 32 characters'),
      'STUDIO_EDITORS or STUDIO_VIEWERS has to name somebody',
      'STUDIO_OIDC_SCOPES has to have openid among them',
    ]);
  });

  test('allow http for the provider and the studio on loopback only (T3)', () => {
    const http = {
      ...OIDC,
      STUDIO_OIDC_ISSUER: 'http://id.example.com',
      STUDIO_URL: 'http://studio.example.com',
    };
    expect(problemsOf(http)).toHaveLength(2);
    expect(
      problemsOf({
        ...OIDC,
        STUDIO_OIDC_ISSUER: 'http://127.0.0.1:9',
        STUDIO_URL: 'http://localhost:7072',
      }),
    ).toEqual([]);
  });

  test('compare people in lower case, and refuse what is neither address nor group (T3)', () => {
    const { editors } = readSettings(StudioSettings, { DATABASE_URL, ...OIDC });
    expect(editors).toEqual(['ann@example.com', '*@acme.test', 'group:product people']);
    for (const STUDIO_VIEWERS of ['ann', '*', 'a@b, ,c@d', '*@*'])
      expect(() => readSettings(StudioSettings, { DATABASE_URL, STUDIO_VIEWERS })).toThrow(
        'STUDIO_VIEWERS',
      );
  });

  /** `node tools/settings.mjs` writes both files. */
  test('are in the example file and in the documentation for operators', async () => {
    expect(await readFile('.env.example', 'utf8')).toContain(exampleSettings(ownSettings()));
    const table = /<!-- settings:studio -->\n([^]*?)<!-- \/settings -->/.exec(
      await readFile('docs/reference.md', 'utf8'),
    )![1]!;
    expect(table.replace(/[ -]+/g, ' ')).toContain(
      describeSettings(listSettings(StudioSettings)).replace(/[ -]+/g, ' '),
    );
  });
});

/** Some are called as settings of the services are. */
function ownSettings() {
  const others = listSettings(ServiceSettings).map(({ name }) => name);
  return listSettings(StudioSettings).filter(
    ({ name }) => !others.includes(name) && name !== 'PORT',
  );
}
