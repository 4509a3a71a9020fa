import { describe, expect, jest, test } from '@jest/globals';
import type { Field, FlowDefinition } from '../definition/definition.js';
import { languageChooser, translationOf, parseLanguageRanges } from './choose-language.js';

const flowIn = (language: string, ...others: string[]) => ({
  language,
  languages: others.map((other) => ({ language: other, blocks: [] })),
});
const chosen = (header: string, ...available: [string, ...string[]]) =>
  languageChooser(flowIn(...available))!(parseLanguageRanges(header).ranges);

describe('the language of an answer (X2)', () => {
  test.each([
    ['Chrome, German', 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de'],
    ['Firefox, Swiss German', 'de-CH,de;q=0.8,en-US;q=0.5,en;q=0.3', 'de'],
    ['Safari, Portugal', 'pt-PT', 'pt-BR'],
    ['Safari on iOS, Brazil', 'pt-BR,pt;q=0.9', 'pt-BR'],
    ['Edge, Taiwan', 'zh-TW,zh;q=0.9,en;q=0.8', 'zh-Hant'],
    ['Chrome, China', 'zh-CN,zh;q=0.9', 'zh-Hans'],
    ['Firefox, Hong Kong', 'zh-HK,en;q=0.5', 'zh-Hant'],
    ['Chrome, Britain', 'en-GB,en-US;q=0.9,en;q=0.8', 'en'],
    ['Firefox, Japan, a language that the flow lacks', 'ja,fr;q=0.7', 'en'],
    ['Samsung Internet, upper case', 'DE-de,EN;q=0.9', 'de'],
    ['Node', '*', 'en'],
  ])('of %s', (_, header, language) => {
    expect(chosen(header, 'en', 'de', 'pt-BR', 'zh-Hant', 'zh-Hans')).toBe(language);
  });

  test('goes by weight, then by the order of the list; weight 0 chooses nothing', () => {
    expect(chosen('de;q=0.5, fr;q=0.9', 'en', 'de', 'fr')).toBe('fr');
    expect(chosen('de, fr', 'en', 'de', 'fr')).toBe('de');
    expect(chosen('de;q=0, fr;q=0.001', 'en', 'de', 'fr')).toBe('fr');
  });

  test('truncates as RFC 4647 does: a single character goes with what follows it', () => {
    expect(chosen('de-CH-x-old', 'en', 'de-CH-x', 'de')).toBe('de');
    expect(chosen('zh-Hant-CN-x-private', 'en', 'zh-Hant')).toBe('zh-Hant');
  });

  test('prefers an exact match of a later truncation to a relative', () => {
    expect(chosen('pt-PT', 'en', 'pt-BR', 'pt')).toBe('pt');
  });

  test('does not cross scripts', () => {
    expect(chosen('sr-Latn', 'en', 'sr-Cyrl')).toBe('en');
    expect(chosen('sr-RS', 'en', 'sr-Cyrl')).toBe('sr-Cyrl');
  });

  test('is none for a flow in one language', () => {
    expect(languageChooser({ language: 'en' })).toBeUndefined();
    expect(languageChooser({})).toBeUndefined();
  });
});

describe('a list of languages', () => {
  test.each([
    [''],
    ['de;q=2'],
    ['de;q=abc'],
    ['de_DE'],
    ['-'],
    ['a-'],
    ['de;level=1'],
    ['abcdefghi'],
    [`de${'-x'.repeat(16)}`],
    ['\u0000'],
  ])('skips what is none: %j', (text) => {
    expect(parseLanguageRanges(`${text},fr`)).toEqual({ ranges: ['fr'], isWellFormed: false });
  });

  test('of Chromium under a POSIX locale is what it says before that', () => {
    const posix = parseLanguageRanges('en-US@posix,de;q=0.9');
    expect(posix).toEqual({ ranges: ['en-US', 'de'], isWellFormed: true });
  });

  test('takes shapes that are no tag, and finds nothing by them', () => {
    expect(parseLanguageRanges('a-b').isWellFormed).toBe(true);
    expect(chosen('a-b, i-klingon, x-y', 'en', 'de')).toBe('en');
  });

  test('is looked for in many flows at the cost of one, extensions or not', () => {
    const tags = [...'abcdefghijklmnopqrst'].map((letter) => `q${letter}x-Latn-AA-u-ca-roc`);
    const maximize = jest.spyOn(Intl.Locale.prototype, 'maximize');
    for (let flow = 0; flow < 50; flow++) expect(chosen(tags.join(), 'en', 'de')).toBe('en');
    expect(maximize.mock.calls.length).toBeLessThanOrEqual(tags.length + 2);
    maximize.mockRestore();
    expect(chosen('pt-PT-u-ca-buddhist', 'en', 'pt-BR')).toBe('pt-BR');
  });

  test('is read in time linear to its length', () => {
    const { ranges } = parseLanguageRanges(`${'a'.repeat(100_000)},${'de,'.repeat(100_000)}`);
    expect(ranges.length).toBeLessThanOrEqual(20);
    expect(parseLanguageRanges(`de${' '.repeat(100_000)};x`).ranges).toEqual([]);
  });
});

test('a text that a language lacks is that of its truncations, then of the flow, field by field (X1)', () => {
  const text = (sid: string, value: string): Field => ({ sid, type: 'string', value });
  const definition = {
    language: 'en',
    languages: [
      { language: 'pt-BR', blocks: [{ id: 'a', fields: [text('title', 'Oi')] }] },
      {
        language: 'pt',
        blocks: [{ id: 'a', fields: [text('title', 'Olá'), text('note', 'nota')] }],
      },
    ],
  } as unknown as FlowDefinition;
  const fields = [text('title', 'Hi'), text('note', 'a note'), text('more', 'more')];
  const values = (language: string, id = 'a') =>
    translationOf(definition, language)(id, fields).map(({ value }) => value);
  expect(values('pt-BR')).toEqual(['Oi', 'nota', 'more']);
  expect(values('pt')).toEqual(['Olá', 'nota', 'more']);
  expect(values('en')).toEqual(['Hi', 'a note', 'more']);
  expect(values('pt-BR', 'b')).toEqual(['Hi', 'a note', 'more']);
});
