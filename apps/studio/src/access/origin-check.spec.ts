import { describe, expect, test } from '@jest/globals';
import { OriginCheck } from './origin-check.js';

const token = new OriginCheck({ access: 'token', publicUrl: undefined }, 7072);
const check = (originCheck: OriginCheck, method: string, headers: Record<string, string>) => () =>
  originCheck.check({ method, headers });

describe('the originCheck of the studio', () => {
  test('open under the names of loopback at its port, and no other (T2)', () => {
    for (const host of ['127.0.0.1:7072', 'localhost:7072', '[::1]:7072', 'LOCALHOST:7072'])
      expect(check(token, 'GET', { host })).not.toThrow();
    for (const host of [
      'evil.test:7072',
      '127.0.0.1',
      '127.0.0.1:7073',
      'localhost.evil.test:7072',
      '0.0.0.0:7072',
      '',
    ])
      expect(check(token, 'GET', { host })).toThrow('not served under this name');
    expect(check(token, 'GET', {})).toThrow(
      'not served under this name; open it as http://127.0.0.1:7072',
    );
  });

  test('open for writes of their own pages only (T2)', () => {
    const host = '127.0.0.1:7072';
    expect(check(token, 'POST', { host, origin: 'http://127.0.0.1:7072' })).not.toThrow();
    for (const origin of [
      'http://evil.test',
      'null',
      'https://127.0.0.1:7072',
      'http://127.0.0.1:7073',
    ])
      expect(check(token, 'POST', { host, origin })).toThrow('from a page of the studio');
    expect(check(token, 'DELETE', { host })).toThrow('from a page of the studio');
  });

  test('open under the address that is given, which is the only one for people who sign in (T3)', () => {
    const oidc = new OriginCheck({ access: 'oidc', publicUrl: 'https://studio.example.com' }, 7072);
    expect(
      check(oidc, 'POST', { host: 'studio.example.com', origin: 'https://studio.example.com' }),
    ).not.toThrow();
    expect(check(oidc, 'GET', { host: '127.0.0.1:7072' })).toThrow('https://studio.example.com');
  });
});
