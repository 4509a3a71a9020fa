import { describe, expect, test } from '@jest/globals';
import { parseSettings } from './parse-settings.js';
import { choice, flag, integer, optional, origins, url, word } from './setting.js';

const TABLE = {
  port: integer('PORT', { default: '7070', min: 0, max: 65_535, description: '' }),
  level: choice('LEVEL', ['low', 'high'], { default: 'low', description: '' }),
  docs: optional(flag('DOCS', { description: '' })),
  database: url('DATABASE_URL', ['postgres'], { description: '' }),
  origins: origins('ORIGINS', { default: '*', description: '' }),
  host: word('HOST', { default: '0.0.0.0', description: '' }),
};
const GIVEN = { DATABASE_URL: 'postgres://u:secret@host/db' };

describe('settings', () => {
  test('have their defaults, and an empty text counts as not given', () => {
    const defaults = { port: 7070, level: 'low', docs: undefined, database: GIVEN.DATABASE_URL, origins: '*', host: '0.0.0.0' };
    expect(parseSettings(TABLE, GIVEN)).toEqual(defaults);
    expect(parseSettings(TABLE, { ...GIVEN, PORT: '', DOCS: ' ' })).toEqual(defaults);
  });

  test('are read as what they are', () => {
    const given = { ...GIVEN, PORT: '0', LEVEL: 'high', DOCS: 'off', ORIGINS: 'https://a.example, http://localhost:3000' };
    expect(parseSettings(TABLE, given)).toMatchObject({
      port: 0,
      level: 'high',
      docs: false,
      origins: ['https://a.example', 'http://localhost:3000'],
    });
  });

  test('that are not right are told all together, by name and never with their values', () => {
    const wrong = {
      PORT: '65536',
      LEVEL: 'hush1',
      DOCS: 'hush2',
      DATABASE_URL: 'mysql://hush3',
      ORIGINS: 'https://hush4/path',
      HOST: 'hush 5',
    };
    const read = () => parseSettings(TABLE, wrong);
    for (const name of Object.keys(wrong)) expect(read).toThrow(name);
    expect(read).not.toThrow(/hush/);
    expect(read).toThrow(
      'the settings are not right: PORT has to be a whole number from 0 to 65535; LEVEL has to be one of low, high; ' +
        'DOCS has to be on or off; DATABASE_URL has to be a URL that begins with postgres://; ' +
        'ORIGINS has to be * or origins like https://app.example.com, separated by commas; ' +
        'HOST has to be one word without blanks',
    );
  });

  test.each(['-1', '1.5', '1e3', '0x10', ' ', '٣', '9'.repeat(30)])('a number is not written %p', (text) => {
    const read = () => parseSettings({ count: integer('COUNT', { min: 0, max: 9_999, description: '' }) }, { COUNT: text });
    expect(read).toThrow(/^the settings are not right: COUNT has to be /);
  });
});
