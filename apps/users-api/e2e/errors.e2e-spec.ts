import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, rawExchange, type Answer, type CallOptions } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

const ANNA = { identifier: 'anna', properties: {} };
const MIB = 1_048_576;

describe('what the users API refuses', () => {
  let fixture: IdentifyFixture;

  beforeAll(async () => {
    fixture = await IdentifyFixture.open();
  });
  afterAll(() => fixture.close());

  const send = (request: string, options: CallOptions = {}) =>
    call(fixture.service, request, { key: fixture.key, ...options });

  const expectEnvelope = (answer: Answer, status: number, code: string, details: RegExp) => {
    const requestId = answer.headers.get('x-request-id');
    expect([answer.status, answer.body]).toEqual([
      status,
      { code, details: expect.stringMatching(details), requestId },
    ]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  };

  describe('by its target', () => {
    test.each([
      'GET /nope',
      'POST /nope',
      'GET /',
      'POST /identify/',
      'POST /identify/a/b',
      'POST /IDENTIFY',
      'POST /identify/batch/',
    ])('%s is unknown: 404 (W2)', async (request) => {
      const body = request.startsWith('POST') ? { body: ANNA } : {};
      expectEnvelope(
        await send(request, body),
        404,
        'not_found_error',
        /^there is nothing at this path/,
      );
    });

    test.each([
      ['GET /identify', 'POST, OPTIONS'],
      ['DELETE /identify/anna', 'POST, OPTIONS'],
      ['PUT /identify/batch', 'POST, OPTIONS'],
      ['POST /health/live', 'GET, HEAD, OPTIONS'],
    ])('%s is 405, and Allow has what is taken (W2)', async (request, allow) => {
      const answer = await send(request, { key: undefined });
      expectEnvelope(
        answer,
        405,
        'not_found_error',
        /this path does not take (GET|DELETE|PUT|POST), it takes /,
      );
      expect(answer.headers.get('allow')).toBe(allow);
    });

    test('HEAD is GET without a body, and HEAD of a POST route is 405', async () => {
      expect(await send('HEAD /health')).toMatchObject({ status: 200, text: '' });
      expect(await send('HEAD /identify')).toMatchObject({ status: 405, text: '' });
    });

    test.each(['/identify/%', '/identify/%zz', '/identify/%ff', '/nope/%e0%a4', '/%c3'])(
      'the path %s cannot be decoded: 400, before anything else (W9)',
      async (path) => {
        for (const method of ['GET', 'POST', 'PUT']) {
          const answer = await send(`${method} ${path}`, { key: undefined });
          expectEnvelope(answer, 400, 'invalid_request_error', /^the path cannot be decoded/);
        }
      },
    );

    test('what is about the whole server has nothing at its path', async () => {
      const answer = await rawExchange(
        fixture.url,
        'OPTIONS * HTTP/1.1\r\nconnection: close\r\n\r\n',
      );
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        404,
        { code: 'not_found_error' },
      ]);
    });

    test.each(['GET nope HTTP/1.1', 'POST ?identify HTTP/1.1', 'GET http:// HTTP/1.1'])(
      '%s is 400',
      async (line) => {
        const answer = await rawExchange(fixture.url, `${line}\r\nconnection: close\r\n\r\n`);
        expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
          400,
          { code: 'invalid_request_error' },
        ]);
      },
    );

    test('the absolute form and a missing Host are as good as any', async () => {
      const answer = await rawExchange(
        fixture.url,
        'GET http://example.com/health HTTP/1.1\r\nconnection: close\r\n\r\n',
      );
      expect(answer.status).toBe(200);
    });
  });

  describe('by its body', () => {
    const post = (options: CallOptions) => send('POST /identify', options);

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/ld+json',
      'garbage',
      'a/b; c',
    ])('a body of type %s is 415 (W2)', async (type) => {
      const answer = await post({ body: JSON.stringify(ANNA), headers: { 'content-type': type } });
      expectEnvelope(
        answer,
        415,
        'unsupported_media_type_error',
        /content-type: application\/json/,
      );
    });

    test.each([
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json;charset="UTF-8"',
    ])('a body of type %s is taken', async (type) => {
      expect(
        (await post({ body: JSON.stringify(ANNA), headers: { 'content-type': type } })).status,
      ).toBe(204);
    });

    test.each(['gzip', 'br', 'identity, gzip', 'x'])(
      'a body with content-encoding %s is 415 (R5)',
      async (encoding) => {
        const answer = await post({ body: ANNA, headers: { 'content-encoding': encoding } });
        expectEnvelope(
          answer,
          415,
          'unsupported_media_type_error',
          /^an encoded body is not supported/,
        );
      },
    );

    test('content-encoding identity is none', async () => {
      expect((await post({ body: ANNA, headers: { 'content-encoding': 'identity' } })).status).toBe(
        204,
      );
    });

    test.each(['text/plain', 'garbage', 'application/json'])(
      'an empty body counts as none though it is %s (W4)',
      async (type) => {
        const plain = await send('POST /identify', {
          headers: { 'content-type': type, 'content-length': '0' },
        });
        const head = `POST /identify HTTP/1.1\r\nx-api-key: ${fixture.key}\r\ncontent-type: ${type}\r\nconnection: close\r\n`;
        const chunked = await rawExchange(
          fixture.url,
          `${head}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
        );
        expect([plain.body, JSON.parse(chunked.body)]).toEqual([
          expect.objectContaining({
            details: 'the body has to be a JSON object, and there is none',
          }),
          expect.objectContaining({
            details: 'the body has to be a JSON object, and there is none',
          }),
        ]);
      },
    );

    test.each(['text/plain', 'garbage'])('a chunked body of type %s is 415', async (type) => {
      const head = `POST /identify HTTP/1.1\r\nx-api-key: ${fixture.key}\r\ncontent-type: ${type}\r\nconnection: close\r\n`;
      const answer = await rawExchange(
        fixture.url,
        `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      );
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        415,
        { code: 'unsupported_media_type_error' },
      ]);
    });

    test('a body of one byte more than 1 MiB is 413, with and without a length (W7)', async () => {
      const body = JSON.stringify({ ...ANNA, x: 'x'.repeat(MIB) }).slice(0, MIB - 2) + '"} ';
      expect(Buffer.byteLength(body)).toBe(MIB + 1);
      expectEnvelope(await post({ body }), 413, 'payload_too_large_error', /larger than 1 MiB/);
      const head = `POST /identify HTTP/1.1\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const answer = await rawExchange(
        fixture.url,
        `${head}transfer-encoding: chunked\r\n\r\n`,
        chunk,
      );
      const details = expect.stringContaining('larger than 1 MiB');
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        413,
        { code: 'payload_too_large_error', details },
      ]);
    });

    test('a connection can be used again after a body that was refused unread', async () => {
      const big = `{"identifier":"${'x'.repeat(2 * MIB)}"}`;
      const head = `POST /identify HTTP/1.1\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\n`;
      const first = `${head}content-length: ${big.length}\r\n\r\n${big}`;
      const answer = await rawExchange(
        fixture.url,
        first,
        'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n',
      );
      expect(answer.status).toBe(413);
      expect(answer.body).toContain('HTTP/1.1 200 OK');
    });

    test('a body of exactly 1 MiB passes the limit', async () => {
      const rest = Buffer.byteLength(JSON.stringify({ ...ANNA, x: '' }));
      expect((await post({ body: { ...ANNA, x: 'x'.repeat(MIB - rest) } })).status).toBe(204);
    });

    test('the key is checked before the body, its type before its size before its syntax (W9)', async () => {
      const huge = 'x'.repeat(MIB + 1);
      expect(
        (await post({ key: undefined, body: huge, headers: { 'content-type': 'text/plain' } }))
          .status,
      ).toBe(401);
      expect((await post({ body: huge, headers: { 'content-type': 'text/plain' } })).status).toBe(
        415,
      );
      expect((await post({ body: huge })).status).toBe(413);
      expectEnvelope(
        await post({ body: '{' }),
        400,
        'invalid_request_error',
        /^the body is not valid JSON/,
      );
    });

    test('a query that cannot be decoded is refused after the body, and not at all from an SDK (W8, W9)', async () => {
      const broken = 'POST /identify?x=%';
      for (const body of ['{', '[]', undefined])
        expectEnvelope(await send(broken, { body }), 400, 'invalid_request_error', /^the body/);
      expectEnvelope(
        await send(broken, { body: ANNA }),
        400,
        'invalid_request_error',
        /^the query parameter "x" cannot be decoded/,
      );
      expect((await send(broken, { body: ANNA, headers: { 'x-pkg-name': 'sdk' } })).status).toBe(
        204,
      );
    });
  });

  describe('by its transport', () => {
    const head = (line: string) => `${line}\r\nconnection: close\r\n`;

    test.each([
      ['what is not HTTP', 'hello\r\n\r\n', 400],
      ['a broken header', `${head('GET /health HTTP/1.1')}no colon\r\n\r\n`, 400],
      [
        'two lengths',
        `${head('POST /identify HTTP/1.1')}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
        400,
      ],
      [
        'a length and chunks',
        `${head('POST /identify HTTP/1.1')}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
        400,
      ],
      [
        '1 MB of headers',
        `${head('GET /health HTTP/1.1')}x: ${'x'.repeat(1_000_000)}\r\n\r\n`,
        431,
      ],
      ['201 headers (R13)', `GET /health HTTP/1.1\r\n${'a:\r\n'.repeat(201)}\r\n`, 431],
      ['a target of 1 MB', head(`GET /${'x'.repeat(1_000_000)} HTTP/1.1`), 431],
    ])('%s gets the envelope (W2)', async (_, bytes, status) => {
      const answer = await rawExchange(fixture.url, bytes);
      const requestId = answer.headers['x-request-id'];
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        status,
        { code: 'invalid_request_error', requestId },
      ]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    });

    test('CONNECT is refused with the envelope, an expectation that nobody knows is ignored (W2)', async () => {
      const connect = await rawExchange(
        fixture.url,
        `${head('CONNECT example.com:443 HTTP/1.1')}\r\n`,
      );
      expect([connect.status, JSON.parse(connect.body)]).toMatchObject([
        400,
        { code: 'invalid_request_error' },
      ]);
      const expecting = await rawExchange(
        fixture.url,
        `${head('GET /health HTTP/1.1')}expect: the-best\r\n\r\n`,
      );
      expect(expecting.status).toBe(200);
    });

    test('what cannot be read is told why (W2)', async () => {
      const raw = await rawExchange(
        fixture.url,
        Buffer.from(`${head('GET /health?x=ü HTTP/1.1')}\r\n`),
      );
      expect(JSON.parse(raw.body)).toMatchObject({
        details: expect.stringContaining('percent-encoded'),
      });
      const lengths = `${head('POST /identify HTTP/1.1')}content-length: 1\r\ncontent-length: 2\r\n\r\n`;
      expect(JSON.parse((await rawExchange(fixture.url, lengths)).body)).toMatchObject({
        details: expect.stringContaining('Content-Length'),
      });
    });

    test('what is of another protocol is told so, and never logged whole (W2)', async () => {
      const answer = await rawExchange(fixture.url, 'DESCRIBE /health?user=ada RTSP/1.0\r\n\r\n');
      const details = 'DESCRIBE is no method of HTTP';
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        400,
        { details, requestId: expect.any(String) },
      ]);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    });

    test('no header is dropped: with more than are read the request is refused (W2)', async () => {
      const send = async (count: number) => {
        const many = 'a:\r\n'.repeat(count);
        return rawExchange(
          fixture.url,
          `${head('POST /identify HTTP/1.1')}${many}x-api-key: ${fixture.key}\r\n\r\n`,
        );
      };
      expect((await send(198)).status).toBe(400);
      const refused = await send(3_000);
      expect([refused.status, refused.body]).toEqual([
        431,
        expect.stringContaining('at most 200 headers'),
      ]);
    });

    test('an offer of another protocol is ignored (W2)', async () => {
      const offer =
        'connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAAB\r\n';
      expect((await rawExchange(fixture.url, `GET /health HTTP/1.1\r\n${offer}\r\n`)).status).toBe(
        200,
      );
    });

    test('a broken chunk gets the envelope', async () => {
      const start = `POST /identify HTTP/1.1\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
      const answer = await rawExchange(fixture.url, `${start}zz\r\n`);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        400,
        { code: 'invalid_request_error' },
      ]);
    });
  });

  describe('with its name', () => {
    test.each(['a', '~!@#$', 'x'.repeat(128)])('the request id %p is echoed (W3)', async (id) => {
      const answer = await send('GET /nope', { headers: { 'x-request-id': id } });
      expect([answer.headers.get('x-request-id'), answer.body]).toEqual([
        id,
        expect.objectContaining({ requestId: id }),
      ]);
    });

    test.each(['', 'a b', 'x'.repeat(129), 'ä'])(
      'the request id %p is replaced, never refused (W3)',
      async (id) => {
        const answer = await send('POST /identify', {
          body: ANNA,
          headers: { 'x-request-id': id },
        });
        expect([answer.status, answer.headers.get('x-request-id')]).toEqual([
          204,
          expect.stringMatching(/^[0-9a-f-]{36}$/),
        ]);
      },
    );
  });

  describe('from a browser', () => {
    const preflight = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
    };

    test.each(['/identify', '/nope'])(
      'a preflight of %s needs no key and names what is allowed (W6)',
      async (path) => {
        const answer = await send(`OPTIONS ${path}`, { key: undefined, headers: preflight });
        expect(answer.status).toBe(204);
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, POST, OPTIONS',
          'access-control-allow-headers':
            'content-type, x-api-key, x-pkg-name, x-pkg-version, x-request-id, idempotency-key, x-fern-language, x-fern-sdk-name, x-fern-sdk-version, x-fern-runtime, x-fern-runtime-version',
        });
      },
    );

    test('answers show the browser our headers, errors too (W6)', async () => {
      const exposed = 'x-dopt-intent-side-effects, x-waymark-revision, x-request-id, retry-after';
      const headers = { origin: 'https://app.example.com' };
      const answers = [
        await send('POST /identify', { body: ANNA, headers }),
        await send('GET /nope', { headers }),
      ];
      expect(answers.map((answer) => answer.headers.get('access-control-expose-headers'))).toEqual([
        exposed,
        exposed,
      ]);
    });

    test('a plain OPTIONS tells what the path takes', async () => {
      expect((await send('OPTIONS /identify')).headers.get('allow')).toBe('POST, OPTIONS');
      expectEnvelope(await send('OPTIONS /nope'), 404, 'not_found_error', /nothing at this path/);
    });
  });
});
