import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  findMissing,
  launchBrowser,
  type Browser as Chromium,
  type Page,
} from '@waymark/testing/browser';
import { freePort } from '@waymark/testing/ports';
import { Fixture } from '@waymark/testing/fixture';
import { EncryptJWT } from 'jose';
import Provider from 'oidc-provider';
import type { RunningStudio } from '../src/start-studio.js';
import { openStudio, Visitor } from './studio-fixture.js';

const PEOPLE: Record<string, Record<string, unknown>> = {
  ann: { email: 'Ann@Example.com', email_verified: true },
  bob: { email: 'bob@acme.test', email_verified: true },
  cy: { email: 'cy@elsewhere.test', email_verified: true },
  eve: { email: 'ann@example.com', email_verified: false },
  dan: { email: 'dan@acme.test' },
};

let fixture: Fixture;
let studio: RunningStudio;
/** Another one, which wants every address to be verified. */
let strict: RunningStudio;
let issuer: Server;
let settings: ReturnType<typeof settingsOf>;

beforeAll(async () => {
  fixture = await Fixture.open();
  const listener = createServer();
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const port = await freePort();
  const strictPort = await freePort();
  const [url, strictUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${strictPort}`];
  issuer = listener;
  const issuerUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const provider = new Provider(issuerUrl, {
    clients: [
      {
        client_id: 'studio',
        client_secret: 'secret-of-the-studio',
        redirect_uris: [`${url}/login/callback`, `${strictUrl}/login/callback`],
        // Else only https may be sent back to.
        application_type: 'native',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'], openid: ['sub'] },
    cookies: { keys: ['x'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => Promise.resolve({ sub: id, ...PEOPLE[id] }),
    }),
  });
  issuer.on('request', provider.callback());
  settings = settingsOf(url, issuerUrl);
  studio = await openStudio(fixture, { ...settings, PORT: String(port) });
  strict = await openStudio(fixture, {
    ...settingsOf(strictUrl, issuerUrl),
    STUDIO_OIDC_REQUIRE_VERIFIED_EMAIL: 'on',
    PORT: String(strictPort),
  });
});
afterAll(async () => {
  await studio.stop();
  await strict.stop();
  issuer.closeAllConnections();
  issuer.close();
  await fixture.close();
});

const settingsOf = (url: string, issuerUrl: string) => ({
  STUDIO_ACCESS: 'oidc',
  STUDIO_URL: url,
  STUDIO_OIDC_ISSUER: issuerUrl,
  STUDIO_OIDC_CLIENT_ID: 'studio',
  STUDIO_OIDC_CLIENT_SECRET: 'secret-of-the-studio',
  STUDIO_SESSION_SECRET: 'a-secret-of-at-least-32-characters',
  STUDIO_EDITORS: 'ann@example.com',
  STUDIO_VIEWERS: '*@acme.test',
});

/**
 * Follows redirections as a browser does, with cookies for each of the two hosts, and fills in the
 * provider's forms.
 */
class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  constructor(private readonly studioUrl = studio.url) {}

  async get(
    url: string,
    init: RequestInit = {},
  ): Promise<{ url: string; status: number; text: string }> {
    const { host } = new URL(url);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as object), cookie },
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';');
      const at = pair!.indexOf('=');
      if (pair!.length === at + 1) jar.delete(pair!.slice(0, at));
      else jar.set(pair!.slice(0, at), pair!.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location !== null && new URL(location, url).hash === '')
      return this.get(new URL(location, url).href);
    return {
      url: location === null ? url : new URL(location, url).href,
      status: response.status,
      text: await response.text(),
    };
  }

  async signIn(as: string): Promise<{ url: string; text: string }> {
    let page = await this.get(`${this.studioUrl}/login`);
    for (const fields of [{ prompt: 'login', login: as, password: 'x' }, { prompt: 'consent' }]) {
      const action = /action="([^"]+)"/.exec(page.text)?.[1];
      if (!action) break;
      page = await this.get(new URL(action, page.url).href, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields as Record<string, string>).toString(),
      });
    }
    return page;
  }

  cookieOfStudio(): string {
    return [...(this.cookies.get(new URL(this.studioUrl).host) ?? [])]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  }

  me = async () =>
    JSON.parse((await this.get(`${this.studioUrl}/api/me`)).text) as {
      role: string | null;
      person: { name: string } | null;
    };
}

async function signedIn(as: string, studioUrl?: string): Promise<Browser> {
  const browser = new Browser(studioUrl);
  await browser.signIn(as);
  return browser;
}

describe('signing in with OpenID Connect (T3)', () => {
  test('somebody among the editors may change things, and is named by their address', async () => {
    const ann = await signedIn('ann');
    expect(await ann.me()).toMatchObject({ role: 'editor', person: { name: 'ann@example.com' } });
    expect(ann.cookieOfStudio()).toMatch(/^__Host-waymark-studio=/);
  });

  test('somebody among the viewers may look, and is refused a change made by hand', async () => {
    const bob = await signedIn('bob');
    expect(await bob.me()).toMatchObject({ role: 'viewer' });
    const visitor = new Visitor(studio.url);
    visitor.cookie = bob.cookieOfStudio();
    expect(await visitor.ask('GET /api/development/flows')).toMatchObject({ status: 200 });
    const writes = studio.routes.filter(
      ({ method, url }) => method === 'POST' && url.startsWith('/api/:environment'),
    );
    for (const { url } of writes) {
      const path = url.replace(':environment', 'development').replace(/:\w+/g, 'x');
      expect([path, (await visitor.ask(`POST ${path}`)).status]).not.toEqual([path, 200]);
    }
  });

  test('everybody else is told that nobody has let them in, an unverified address too', async () => {
    for (const name of ['cy', 'eve']) {
      const stranger = await signedIn(name);
      expect(await stranger.me()).toMatchObject({ role: 'nobody' });
      expect(await stranger.get(`${studio.url}/api/development/flows`)).toMatchObject({
        status: 403,
        text: expect.stringContaining('nobody has let you'),
      });
    }
  });

  test('an address of which the provider says nothing counts, unless it has to be verified', async () => {
    const roleOf = async (name: string, url: string) =>
      (await (await signedIn(name, url)).me()).role;
    expect([await roleOf('dan', studio.url), await roleOf('dan', strict.url)]).toEqual([
      'viewer',
      'nobody',
    ]);
    expect(await roleOf('ann', strict.url)).toBe('editor');
  });

  test('the sign-in cookie is secure, for this host only, and not sent with requests of other sites', async () => {
    const { headers, status } = await new Visitor(studio.url).ask('GET /login');
    expect(status).toBe(302);
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-waymark-studio-login=.*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const to = new URL(headers.get('location')!);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      nonce: expect.any(String),
      state: expect.any(String),
    });
  });

  test('an answer that belongs to no request for it, or to another one, lets nobody in', async () => {
    const browser = new Browser();
    for (const query of ['', '?code=x&state=y', `?error=access_denied&state=y`]) {
      expect((await browser.get(`${studio.url}/login/callback${query}`)).url).toBe(
        `${studio.url}/`,
      );
      await new Visitor(studio.url).ask('GET /login');
    }
    const departed = new Visitor(studio.url);
    departed.cookie = (await departed.ask('GET /login')).set!.split(';')[0];
    const answer = await departed.ask('GET /login/callback?code=forged&state=forged');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/#sign-in-failed']);
    expect(await browser.me()).toMatchObject({ role: null });
  });

  test('who signs out is out at every replica, with every copy of the cookie', async () => {
    const cookie = (await signedIn('ann')).cookieOfStudio();
    const port = await freePort();
    const replica = await openStudio(fixture, { ...settings, PORT: String(port) });
    // By hand, as fetch writes its own Host.
    const askReplica = async () => {
      const headers = { host: new URL(studio.url).host, cookie };
      const sent = httpRequest(`http://127.0.0.1:${port}/api/environments`, { headers }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    try {
      expect(await askReplica()).toBe(200);
      const visitor = new Visitor(studio.url);
      visitor.cookie = cookie;
      expect(await visitor.ask('POST /api/logout')).toMatchObject({ status: 204 });
      expect([await askReplica(), (await visitor.ask('GET /api/environments')).status]).toEqual([
        401, 401,
      ]);
    } finally {
      await replica.stop();
    }
  });

  test('a session without an id, which could not be ended, is none', async () => {
    const key = createHash('sha256').update(settings.STUDIO_SESSION_SECRET).digest();
    const seal = (claims: object) =>
      new EncryptJWT({ person: { name: 'ann', email: 'ann@example.com' }, ...claims })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject('session')
        .setExpirationTime('1h')
        .encrypt(key);
    const visitor = new Visitor(studio.url);
    for (const [claims, status] of [
      [{ id: randomUUID() }, 200],
      [{}, 401],
    ] as const) {
      visitor.cookie = `__Host-waymark-studio=${await seal(claims)}`;
      expect(await visitor.ask('GET /api/environments')).toMatchObject({ status });
    }
  });

  test('the end of a session takes the cookie away; there is no way in by token', async () => {
    const visitor = new Visitor(studio.url);
    visitor.cookie = (await signedIn('ann')).cookieOfStudio();
    expect((await visitor.ask('POST /api/logout')).set).toMatch(
      /^__Host-waymark-studio=; Max-Age=0; Path=\/; HttpOnly; Secure/,
    );
    expect(await visitor.ask('POST /api/login', { body: { token: 'x' } })).toMatchObject({
      status: 403,
    });
  });
});

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

inBrowser('signing in with OpenID Connect in a browser (T12)', () => {
  let chromium: Chromium;
  beforeAll(async () => void (chromium = await launchBrowser()));
  afterAll(() => chromium.close());

  /** Through the provider's own pages, and back. */
  async function enter(as: string): Promise<Page> {
    const page = await (await chromium.newContext()).newPage();
    await page.goto(`${studio.url}/development/flows`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name="login"]').fill(as);
    await page.locator('input[name="password"]').fill('x');
    await page.locator('button[type="submit"]').click();
    await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' });
    await page.locator('button[type="submit"]').click();
    return page;
  }

  test('an editor comes in, stays in after a reload, and leaves', async () => {
    const page = await enter('ann');
    await page.getByRole('button', { name: 'New flow' }).waitFor();
    await page.reload();
    await page.getByText('ann@example.com').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('sign out there too').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  test('a viewer sees no way to change anything, a stranger that nobody has let them in', async () => {
    const page = await enter('bob');
    await page.getByRole('heading', { name: 'Flows', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'New flow' }).count()).toBe(0);
    const stranger = await enter('cy');
    await stranger.getByText('nobody has let you into this studio yet').waitFor();
  });
});
