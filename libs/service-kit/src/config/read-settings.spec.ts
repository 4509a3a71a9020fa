import { describe, expect, test } from '@jest/globals';
import { readSettings } from './read-settings.js';
import { Choice, Flag, Integer, Origins, Url, Word } from './setting.js';

class Sample {
  @Integer('PORT', { default: '7070', min: 0, max: 65_535, description: '' })
  port!: number;

  @Choice('LEVEL', ['low', 'high'], { default: 'low', description: '' })
  level!: string;

  @Flag('DOCS', { optional: true, description: '' })
  docs?: boolean;

  @Url('DATABASE_URL', ['postgres'], { description: '' })
  database!: string;

  @Origins('ORIGINS', { default: '*', description: '' })
  origins!: '*' | string[];

  @Word('HOST', { default: '0.0.0.0', description: '' })
  host!: string;
}

class Counted {
  @Integer('COUNT', { min: 0, max: 9_999, description: '' })
  count!: number;
}

const GIVEN = { DATABASE_URL: 'postgres://u:secret@host/db' };

describe('settings', () => {
  test('have their defaults, and an empty text counts as not given', () => {
    const defaults = {
      port: 7070,
      level: 'low',
      docs: undefined,
      database: GIVEN.DATABASE_URL,
      origins: '*',
      host: '0.0.0.0',
    };
    expect(readSettings(Sample, GIVEN)).toEqual(defaults);
    expect(readSettings(Sample, { ...GIVEN, PORT: '', DOCS: ' ' })).toEqual(defaults);
  });

  test('are read as what they are', () => {
    const given = {
      ...GIVEN,
      PORT: '0',
      LEVEL: 'high',
      DOCS: 'off',
      ORIGINS: 'https://a.example, http://localhost:3000',
    };
    expect(readSettings(Sample, given)).toMatchObject({
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
    const read = () => readSettings(Sample, wrong);
    for (const name of Object.keys(wrong)) expect(read).toThrow(name);
    expect(read).not.toThrow(/hush/);
    expect(read).toThrow(
      'the settings are not right: PORT has to be a whole number from 0 to 65535; LEVEL has to be one of low, high; ' +
        'DOCS has to be on or off; DATABASE_URL has to be a URL that begins with postgres://; ' +
        'ORIGINS has to be * or origins like https://app.example.com, separated by commas; ' +
        'HOST has to be one word without blanks',
    );
  });

  test('that are missing are told so, and nothing else about them', () => {
    expect(() => readSettings(Sample, {})).toThrow(
      /^the settings are not right: DATABASE_URL has to be given$/,
    );
  });

  test.each(['-1', '1.5', '1e3', '0x10', ' ', '٣', '9'.repeat(30)])(
    'a number is not written %p',
    (text) => {
      const read = () => readSettings(Counted, { COUNT: text });
      expect(read).toThrow(/^the settings are not right: COUNT has to be /);
    },
  );
});
