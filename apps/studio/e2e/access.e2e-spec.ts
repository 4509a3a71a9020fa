import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawExchange } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import type { RunningStudio } from '../src/start-studio.js';
import { openStudio, Visitor } from './studio-fixture.js';

let fixture: Fixture;
let studio: RunningStudio;
let readOnly: RunningStudio;

beforeAll(async () => {
  fixture = await Fixture.open();
  studio = await openStudio(fixture);
  readOnly = await openStudio(fixture, { STUDIO_READ_ONLY: 'on' });
});
afterAll(async () => {
  await studio.stop();
  await readOnly.stop();
  await fixture.close();
});

/** One request for each route, with something for every parameter. */
const requestsOf = ({ routes }: RunningStudio) => {
  const walked = routes.filter(({ method }) => !['HEAD', 'OPTIONS'].includes(method));
  return walked.map(
    ({ method, url }) =>
      `${method} ${url.replace(':environment', 'development').replace(/:\w+/g, 'x').replace('*', 'x')}`,
  );
};
const isOpen = (request: string): boolean =>
  !request.includes(' /api/') || /\/api\/(me|login|logout)$/.test(request);

describe('who may use which route (T3)', () => {
  test('nobody gets further than the sign-in page', async () => {
    const nobody = new Visitor(studio.url);
    const closed = requestsOf(studio).filter((request) => !isOpen(request));
    expect(closed.length).toBeGreaterThan(5);
    for (const request of closed)
      expect([request, (await nobody.ask(request)).status]).toEqual([request, 401]);
  });

  test('a viewer looks at everything and changes nothing', async () => {
    const viewer = new Visitor(readOnly.url);
    await viewer.enter(readOnly.address);
    for (const request of requestsOf(readOnly).filter((one) => !isOpen(one))) {
      const { status, text } = await viewer.ask(request);
      const isRefused = status === 403 && text.includes('not change them');
      const isRead = request.startsWith('GET ') || READS.some((path) => request.endsWith(path));
      expect([request, isRefused, status >= 500]).toEqual([request, !isRead, false]);
    }
  });

  test('an editor is let in everywhere', async () => {
    const editor = new Visitor(studio.url);
    await editor.enter(studio.address);
    for (const request of requestsOf(studio).filter((one) => !isOpen(one))) {
      const { status } = await editor.ask(request);
      expect([request, [401, 403].includes(status), status >= 500]).toEqual([
        request,
        false,
        false,
      ]);
    }
  });
});

const FLOW = 'flow: tour\nstart: hello\nblocks: { hello: { type: card } }\n';

/** Routes that take a text in their body and change nothing. */
const READS = ['/matching', '/matching/users', '/check', '/try', '/show', '/texts'];

describe('host and origin (T2)', () => {
  /** By hand, as fetch writes its own Host. */
  const withHost = (host: string, path = '/api/me'): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(`${studio.url}${path}`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sent.on('error', reject).end();
    });

  test('a foreign Host is refused, whatever is asked for', async () => {
    const { port } = new URL(studio.url);
    expect(await withHost(`localhost:${port}`)).toBe(200);
    for (const host of [
      `evil.test:${port}`,
      'evil.test',
      `127.0.0.1.evil.test:${port}`,
      '127.0.0.1:1',
    ])
      expect([await withHost(host), await withHost(host, '/')]).toEqual([403, 403]);
  });

  test('writes of other sites, without an origin, or as a form are refused, cookie or not', async () => {
    const editor = new Visitor(studio.url);
    await editor.enter(studio.address);
    for (const origin of [
      'https://evil.test',
      'null',
      studio.url.replace('http:', 'https:'),
      `${studio.url}.evil.test`,
      '',
    ])
      expect(await editor.ask('POST /api/logout', { headers: { origin } })).toMatchObject({
        status: 403,
      });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ])
      expect(
        await editor.ask('POST /api/logout', { headers: { 'content-type': type } }),
      ).toMatchObject({
        status: 415,
        text: expect.stringContaining('content-type: application/json'),
      });
  });

  test('the cookie is for this port, this site and no script, and a stale or forged one is none', async () => {
    const editor = new Visitor(studio.url);
    const token = /#token=(.*)/.exec(studio.address)![1];
    const { set, status } = await editor.ask('POST /api/login', { body: { token } });
    const { port } = new URL(studio.url);
    expect([status, set]).toEqual([
      204,
      expect.stringMatching(
        `^waymark-studio-${port}=.*; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    ]);
    const other = await openStudio(fixture);
    try {
      const value = set!.split(';')[0]!.split('=')[1]!;
      for (const forged of [value, 'x', '', `${value}x`]) {
        const stale = new Visitor(other.url);
        stale.cookie = `waymark-studio-${new URL(other.url).port}=${forged}`;
        expect(await stale.ask('GET /api/environments')).toMatchObject({ status: 401 });
        expect(JSON.parse((await stale.ask('GET /api/me')).text)).toMatchObject({
          person: null,
          role: null,
        });
      }
    } finally {
      await other.stop();
    }
  });

  test('a session that was ended is over for every copy of its cookie, and no other one is', async () => {
    const [one, copy, other] = [
      new Visitor(studio.url),
      new Visitor(studio.url),
      new Visitor(studio.url),
    ];
    await one.enter(studio.address);
    await other.enter(studio.address);
    copy.cookie = one.cookie;
    expect(await copy.ask('GET /api/environments')).toMatchObject({ status: 200 });
    expect(await one.ask('POST /api/logout')).toMatchObject({
      status: 204,
      set: expect.stringMatching(/=; Max-Age=0;/),
    });
    expect(await copy.ask('GET /api/environments')).toMatchObject({ status: 401 });
    expect(JSON.parse((await copy.ask('GET /api/me')).text)).toMatchObject({
      person: null,
      role: null,
    });
    expect(await copy.ask('POST /api/logout')).toMatchObject({ status: 204 });
    expect(await other.ask('GET /api/environments')).toMatchObject({ status: 200 });
  });

  test('a wrong token opens nothing, and what is not a token is told so', async () => {
    const stranger = new Visitor(studio.url);
    expect(
      await stranger.ask('POST /api/login', { body: { token: 'x'.repeat(43) } }),
    ).toMatchObject({
      status: 401,
      set: undefined,
    });
    for (const body of [
      {},
      { token: 7 },
      { token: 'x', more: 1 },
      { token: { $ne: '' } },
      [],
      { token: 'x'.repeat(201) },
    ])
      expect(await stranger.ask('POST /api/login', { body })).toMatchObject({
        status: 400,
        set: undefined,
      });
  });

  test('of a stranger no more is read than a token is long, however it is sent (T2)', async () => {
    const { host } = new URL(studio.url);
    const head = `POST /api/login HTTP/1.1\r\nhost: ${host}\r\norigin: ${studio.url}\r\ncontent-type: application/json\r\n`;
    for (const rest of [
      'content-length: 4194304\r\n\r\n{',
      'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
    ]) {
      const answer = await rawExchange(studio.url, `${head}connection: close\r\n${rest}`);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        401,
        { details: 'there is no session, or it is over' },
      ]);
    }
    const editor = new Visitor(studio.url);
    await editor.enter(studio.address);
    const text = `# ${'x'.repeat(100_000)}`;
    expect(await editor.ask('POST /api/development/check', { body: { text } })).toMatchObject({
      status: 200,
    });
  });

  test('of an editor a body of 4 MiB is read, and a larger one is refused with that number (T4, W7)', async () => {
    const editor = new Visitor(studio.url);
    await editor.enter(studio.address);
    const check = (bytes: number) =>
      editor.ask('POST /api/development/check', {
        raw: JSON.stringify({ text: '' }).padEnd(bytes, ' '),
      });
    expect(await check(4 * 1024 ** 2)).toMatchObject({ status: 200 });
    const refused = expect.stringContaining('the body is larger than 4 MiB (4194304 bytes)');
    expect(await check(4 * 1024 ** 2 + 1)).toMatchObject({ status: 413, text: refused });
  });

  test('a body that nests without end, or has values without end, is refused at once (T4, W7)', async () => {
    const editor = new Visitor(studio.url);
    await editor.enter(studio.address);
    const ask = (text: string) =>
      editor.ask('POST /api/development/check', { raw: `{"text":"","draw":${text}}` });
    expect(await ask('['.repeat(65) + ']'.repeat(65))).toMatchObject({
      status: 400,
      text: expect.stringContaining('64 levels'),
    });
    expect(await ask('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000))).toMatchObject({
      status: 400,
    });
    const many = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => index));
    expect(await ask(many)).toMatchObject({
      status: 400,
      text: expect.stringContaining('more than 2,000 values'),
    });
  });

  test('a value that cannot be is refused in words, wherever it is given (T4, W2)', async () => {
    const editor = new Visitor(studio.url);
    await editor.enter(studio.address);
    await editor.ask('POST /api/development/flows', { body: { text: FLOW, ifMatch: 'none' } });
    const answers = [
      await editor.ask('POST /api/development/keys', { body: { kind: 'blocks', name: 'a\0' } }),
      await editor.ask('GET /api/development/log?by=%00'),
      await editor.ask('POST /api/development/flows', {
        body: { text: `${FLOW}# \0`, ifMatch: 'none' },
      }),
      await editor.ask('GET /api/development/flows/tour/report?since=-271821-04-20T00:00:00Z'),
      await editor.ask('POST /api/development/flows/tour/reset', {
        body: { version: 0, dryRun: true, when: '(' },
      }),
    ];
    const words = [
      /control characters/,
      /control characters/,
      /U\+0000/,
      /since has to be a time/,
      /cannot be read at 1:2/,
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 200]);
    for (const [index, { text }] of answers.entries()) expect(text).toMatch(words[index]!);
  });

  test('what is no request, or expects what nobody knows, is answered like any other (W2)', async () => {
    const end = 'connection: close\r\n\r\n';
    const { host } = new URL(studio.url);
    const expecting = await rawExchange(
      studio.url,
      `GET /api/environments HTTP/1.1\r\nhost: ${host}\r\nexpect: the-best\r\n${end}`,
    );
    expect([expecting.status, JSON.parse(expecting.body)]).toMatchObject([
      401,
      { code: 'unauthorized_error' },
    ]);
    for (const [bytes, status] of [
      ['hello\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n${end}`, 431],
      [`GET / HTTP/1.1\r\n${end}`, 403],
      [`GET /api/% HTTP/1.1\r\nhost: ${host}\r\n${end}`, 400],
    ] as const) {
      const answer = await rawExchange(studio.url, bytes);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        status,
        { requestId: expect.any(String) },
      ]);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('every answer forbids what the pages do not need', async () => {
    for (const path of ['/', '/api/me', '/assets/none.js', '/api/none']) {
      const { headers } = await new Visitor(studio.url).ask(`GET ${path}`);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|nonce|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
