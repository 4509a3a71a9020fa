import { describe, expect, test } from '@jest/globals';
import { roleOf } from './role-of.js';

const LISTS = {
  access: 'oidc',
  readOnly: false,
  editors: ['ann@example.com', 'group:product'],
  viewers: ['*@example.com'],
} as const;

describe('the role of a person', () => {
  test('is that of the lists, and editors win (T3)', () => {
    expect(roleOf({ name: 'Ann', email: 'ann@example.com' }, LISTS)).toBe('editor');
    expect(roleOf({ name: 'Bob', email: 'bob@example.com' }, LISTS)).toBe('viewer');
    expect(roleOf({ name: 'Cy', email: 'cy@elsewhere.test', groups: ['product'] }, LISTS)).toBe(
      'editor',
    );
  });

  test('is none for everybody else, whatever their name looks like (T3)', () => {
    for (const email of [
      undefined,
      'x@sub.example.com',
      'x@example.com.evil.test',
      'ann@example.com@evil.test',
      '*@example.co',
    ])
      expect(
        roleOf({ name: 'ann@example.com', ...(email && { email }), groups: ['produc'] }, LISTS),
      ).toBe('nobody');
  });

  test('is not that of a group for somebody whose address reads like one (T3)', () => {
    const lists = { ...LISTS, editors: ['group:product', 'group:ann@example.com'], viewers: [] };
    for (const email of ['group:product', 'group:ann@example.com'])
      expect(roleOf({ name: email, email }, lists)).toBe('nobody');
  });

  test('is never more than viewer where the studio is read-only (T1)', () => {
    expect(roleOf({ name: 'Ann', email: 'ann@example.com' }, { ...LISTS, readOnly: true })).toBe(
      'viewer',
    );
    expect(roleOf({ name: 'me' }, { ...LISTS, access: 'token', readOnly: true })).toBe('viewer');
  });

  test('is editor for whoever has the printed address (T2)', () => {
    expect(roleOf({ name: 'me' }, { ...LISTS, access: 'token' })).toBe('editor');
  });
});
