import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rawExchange } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

let fixture: IdentifyFixture;

beforeAll(async () => {
  fixture = await IdentifyFixture.open();
});
afterAll(() => fixture.close());

const BODY = '{"identifier":"ada"}';
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';
/** What a proxy might take for the body of the request before it, or the other way round. */
const SMUGGLED = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

test.each([
  ['a length and chunks', `content-length: ${BODY.length}\r\n${CHUNKED}0\r\n\r\n`],
  ['chunks and a length', `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`],
  ['a length among the trailers', `${CHUNKED}0\r\ncontent-length: 5\r\n\r\n`],
  ['two lengths', `content-length: ${BODY.length}\r\ncontent-length: 0\r\n\r\n${BODY}`],
  [
    'the same length twice',
    `content-length: ${BODY.length}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  ['a list of lengths', `content-length: ${BODY.length}, ${BODY.length}\r\n\r\n${BODY}`],
  ['a length with a sign', `content-length: +${BODY.length}\r\n\r\n${BODY}`],
  ['a length that is too long', `content-length: 99999999999999999999\r\n\r\n${BODY}`],
  ['a blank before the colon', `content-length : ${BODY.length}\r\n\r\n${BODY}`],
  ['a coding that is nearly chunked', `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['a coding after chunked', `transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
  ['two codings', `transfer-encoding: chunked\r\n${CHUNKED}0\r\n\r\n`],
  ['a control character in a coding', `transfer-encoding: \u000bchunked\r\n\r\n0\r\n\r\n`],
  ['a folded coding', `transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
  ['a line that ends early', `x: y\n${CHUNKED}0\r\n\r\n`],
  ['a line that does not end', `x: y\r${CHUNKED}0\r\n\r\n`],
  ['a chunk that ends early', `${CHUNKED}14\n${BODY}\n0\n\n`],
  ['a chunk of another length', `${CHUNKED}14\r\n${BODY}xx0\r\n\r\n`],
  ['a chunk of no length', `${CHUNKED}-1\r\n${BODY}\r\n0\r\n\r\n`],
  ['a chunk of a length that is too long', `${CHUNKED}10000000000000014\r\n${BODY}\r\n0\r\n\r\n`],
  ['an extension that ends early', `${CHUNKED}14;a\n${BODY}\r\n0\r\n\r\n`],
])('after %s nothing more of the connection is read (R5)', async (_, rest) => {
  const head = `POST /identify HTTP/1.1\r\nhost: x\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\n`;
  const answer = await rawExchange(fixture.url, `${head}${rest}${SMUGGLED}`);
  const details = expect.stringMatching(/^this is not HTTP that can be read: ./);
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
    400,
    { code: 'invalid_request_error', details },
  ]);
});

const HEALTH = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
const statusesIn = ({ status, body }: { status: number; body: string }) => [
  status,
  ...[...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, later]) => Number(later)),
];

test('requests that came in whole before something that is not HTTP are answered before it, in order (W2)', async () => {
  const nothing = 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n';
  const identify = `POST /identify HTTP/1.1\r\nhost: x\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\n`;
  const whole = `${identify}content-length: ${BODY.length}\r\n\r\n${BODY}`;
  const sent = (text: string) => rawExchange(fixture.url, text).then(statusesIn);
  expect(await sent(`${HEALTH}rubbish\r\n\r\n`)).toEqual([200, 400]);
  expect(await sent(`${HEALTH}${nothing}${whole}rubbish\r\n\r\n${HEALTH}`)).toEqual([
    200, 404, 204, 400,
  ]);
  expect(await sent(`${whole}${identify}${CHUNKED}-1\r\n`)).toEqual([204, 400]);
});
