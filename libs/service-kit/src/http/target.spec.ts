import { describe, expect, test } from '@jest/globals';
import { isUndecodable, routableTarget } from './target.js';

describe('a request target', () => {
  test.each(['/', '/a/b?c=%', '/%20', '/a%2Fb', '/x#%', 'http://host/a%20b', '/%F0%9F%98%80'])(
    '%s goes to the router as it is',
    (url) => {
      const request = { url };
      expect([routableTarget(request), isUndecodable(request)]).toEqual([url, false]);
    },
  );

  test.each(['/%', '/%4', '/a/%zz?b', '/%ff', '', 'x', 'http://', 'http://host/%'])(
    '%p cannot be decoded (W9)',
    (url) => {
      const request = { url };
      expect([routableTarget(request), isUndecodable(request)]).toEqual(['/', true]);
    },
  );

  test('with raw UTF-8 is read as if it were encoded', () => {
    const raw = Buffer.from('/identify/ä😀', 'utf8').toString('latin1');
    expect(decodeURIComponent(routableTarget({ url: raw }))).toBe('/identify/ä😀');
    const broken = { url: '/\xff' };
    expect([routableTarget(broken), isUndecodable(broken)]).toEqual(['/', true]);
  });
});
