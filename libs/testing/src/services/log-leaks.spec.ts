import { expect, test } from '@jest/globals';
import { findLeaks } from './log-leaks.js';

const KEY = `blocks-${'A1_-'.repeat(10)}abc`;

test.each([
  ['an API key', `{"msg":"refused ${KEY}"}`],
  ['a token', '{"msg":"token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2ln refused"}'],
  ['a secret of webhooks', '{"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}'],
  ['an address with a query', '{"url":"/v2/flow/tips?userIdentifier=x1"}'],
  ['an address with a query', '{"url":"/v2/flow/tips?include=block&version=1"}'],
  ['a path with a user', '{"url":"/identify/somebody"}'],
  ['a user or group', '{"msg":"no such user: ada@example.com"}'],
  ['a user or group', 'ada: not found'],
])('a line that holds %s is found', (what, line) => {
  expect(findLeaks([line], new Set(['ada', 'ada@example.com']))).toEqual([`${what}: ${line}`]);
});

test('what a service says otherwise holds nothing', () => {
  const lines = [
    '{"level":"info","service":"users-api","url":"http://127.0.0.1:7070","metricsUrl":"http://127.0.0.1:9090","msg":"ready"}',
    '{"level":"debug","requestId":"4f1c","method":"POST","route":"/identify/:identifier","status":204,"ms":2,"msg":"answered"}',
    '{"level":"debug","method":"POST","route":"/identify/batch","msg":"answered"}',
    '{"msg":"an endpoint of madame adamant failed: ECONNREFUSED"}',
  ];
  expect(findLeaks(lines, new Set(['ada', 'ok']))).toEqual([]);
});
