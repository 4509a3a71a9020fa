import { describe, expect, test } from '@jest/globals';
import { corsHeaders } from './cors.js';

describe('the CORS headers of an answer past the router', () => {
  test('let any origin read when any may call (W6)', () => {
    expect(corsHeaders('*', 'https://a.example')).toMatchObject({
      'access-control-allow-origin': '*',
    });
  });

  test('let a listed origin read, and no other (W6)', () => {
    const list = ['https://a.example'];
    expect(corsHeaders(list, 'https://a.example')).toMatchObject({
      'access-control-allow-origin': 'https://a.example',
      vary: 'Origin',
    });
    expect(corsHeaders(list, 'https://b.example')).toEqual({ vary: 'Origin' });
    expect(corsHeaders(list, undefined)).toEqual({ vary: 'Origin' });
  });
});
