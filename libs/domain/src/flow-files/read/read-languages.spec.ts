import { describe, expect, test } from '@jest/globals';
import { describeProblem } from '../source/file-problem.js';
import { parseFlowFile } from './parse-flow-file.js';

const FLOW = `flow: f
language: en
start: [welcome, setup]
blocks:
  welcome: { type: modal, fields: { title: Welcome, body: "Hello **you**", anchor: "#a", size: 3, note: n } }
  setup:
    type: checklist
    fields: { title: Set up }
    items:
      invite: { was: ask, fields: { title: Invite somebody, complete-label: Invite } }
`;
const file = (...lines: string[]) =>
  `${FLOW}languages:\n${lines.map((line) => `  ${line}`).join('\n')}`;
const read = (text: string) => parseFlowFile(text, { file: 'f' });
const problemsOf = (text: string) =>
  read(text).problems.map((problem) => describeProblem(problem).slice(2));
const errorsOf = (text: string) => problemsOf(text).filter((line) => !line.includes('warning:'));

/**
 * Everything that is to be translated: labels as they come are not, nor is what no language gives.
 */
const WHOLE =
  'welcome: { title: Hallo, body: "Hallo **du**" }, setup: { title: Los }, invite: { title: Einladen, complete-label: Ein }';

describe('languages of a flow file (X1)', () => {
  test('give texts by tag, block or item, and field; rich text as Markdown or as nodes', () => {
    const { draft, problems } = read(file(`de: { ${WHOLE} }`));
    expect(problems).toEqual([]);
    expect(draft).toMatchObject({ language: 'en', languages: [{ language: 'de' }] });
    const [welcome] = draft!.languages![0]!.blocks;
    expect(welcome).toMatchObject({
      id: 'welcome',
      fields: [
        { sid: 'title', type: 'string', value: 'Hallo' },
        { sid: 'body', type: 'richText', value: [{ type: 'paragraph' }] },
      ],
    });
    expect(errorsOf(file('de: { welcome: { body: [{ text: Hallo }] } }'))).toEqual([]);
  });

  test('have canonical tags, each once', () => {
    expect(read(file('PT-br: {}')).draft?.languages?.[0]?.language).toBe('pt-BR');
    expect(errorsOf(file('pt-BR: {}', 'PT-br: {}'))).toEqual([
      '13:3 the language pt-BR is given twice',
    ]);
    expect(errorsOf(file('en: {}'))).toEqual(['12:3 the language en is given twice']);
    expect(errorsOf(file('de_DE: {}'))).toEqual([
      '12:3 "de_DE" is not a language tag; write a tag of BCP 47, such as de, pt-BR or zh-Hant',
    ]);
    expect(errorsOf(FLOW.replace('language: en', 'language: english text'))[0]).toMatch(
      /^2:11 "english text" is not a language tag/,
    );
  });

  test('need the language of the texts in blocks', () => {
    expect(errorsOf(file('de: {}').replace('language: en\n', ''))).toEqual([
      '10:1 languages need the language of the texts in blocks as well: language: en',
    ]);
  });

  test.each([
    ['{ welcom: {} }', 'there is no block or item "welcom"; did you mean "welcome"?'],
    ['{ ask: {} }', '"ask" is the former identifier of invite; write invite here too'],
    ['{ welcome: { titel: x } }', 'modal welcome has no field "titel"; did you mean "title"?'],
    ['{ welcome: { anchor: x } }', 'anchor is the same in every language'],
    ['{ welcome: { size: x } }', 'field size of welcome is a number, which has no language'],
    ['{ welcome: { title: [x] } }', 'field title is text, not a list'],
    ['{ welcome: { body: { a: b } } }', 'a translation is text, not a map'],
    ['{ welcome: { body: "[a](javascript:b)" } }', 'javascript'],
    ['{ welcome: hello }', 'expected texts of welcome as a map of fields'],
    ['[]', 'expected texts as a map of blocks and items to fields'],
  ])('are refused with their place: %s', (texts, message) => {
    const [problem, ...others] = errorsOf(file(`de: ${texts}`));
    expect(problem).toMatch(/^12:/);
    expect(problem).toContain(message);
    expect(others).toEqual([]);
  });

  test('that lack texts are one warning each, with a count; truncations count as given', () => {
    expect(problemsOf(file('de: { welcome: { title: Hallo, note: N } }'))).toEqual([
      '12:3 warning: 4 texts are missing in de: the first is welcome.body',
    ]);
    expect(problemsOf(file(`de: { ${WHOLE} }`, 'de-AT: { welcome: { title: Servus } }'))).toEqual(
      [],
    );
    expect(problemsOf(file(`de: { ${WHOLE.replace('title: Los', '')} }`))).toEqual([
      '12:3 warning: 1 text is missing in de: setup.title',
    ]);
  });
});
