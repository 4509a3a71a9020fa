import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import type { FlowDraft } from '../../engine/index.js';
import {
  exportTexts,
  findOlderTexts,
  importTexts,
  parseFlowFile,
  type TranslationFile,
} from '../index.js';

const FOLDER = 'examples/flows';
const EXAMPLES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
const exampleOf = (file: string): string => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  return /^language:/m.test(text) ? text : text.replace(/^flow: .*$/m, '$&\nlanguage: en # own');
};

const FLOW = `# The flow.
flow: hello
language: en
start: welcome
blocks:
  welcome:
    type: modal # shown first
    fields: { title: Welcome, body: 'Three **steps**', dismiss-label: Later, icon: star, anchor: '#here' }
    paths: { complete: setup }
  setup:
    type: checklist
    fields: { title: Set up }
    items:
      invite: { fields: { title: Invite, complete-label: Complete } }
languages:
  pt: { welcome: { title: Bem-vindo } } # Portuguese
  fr:
    # nobody has checked these
    welcome:
      title: "Bienvenue"   # as of May
      icon: étoile

    setup: {}
# the end
`;

function read(text: string): FlowDraft {
  const { draft, problems } = parseFlowFile(text, { file: 'hello.yaml' });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return draft!;
}

/** Translates every text of an export, by `say` where it is text. */
function translated(file: TranslationFile, say: (text: string) => string): TranslationFile {
  const texts = Object.entries(file.texts).map(([name, { from }]) => [
    name,
    { from, to: typeof from === 'string' ? say(from) : from },
  ]);
  return { ...file, texts: Object.fromEntries(texts) };
}

const put = (text: string, file: TranslationFile) => importTexts(text, read(text), file);
const linesOf = (text: string): string[] => text.split('\n');

describe('an export has what a translator needs (X4)', () => {
  test('texts in the order of the file, other fields where a language gives them, no default label', () => {
    const { texts, ...about } = exportTexts(read(FLOW), 'fr');
    expect(about).toEqual({ flow: 'hello', language: 'fr' });
    expect(Object.entries(texts)).toEqual([
      ['welcome.title', { from: 'Welcome', to: 'Bienvenue' }],
      ['welcome.body', { from: 'Three **steps**', to: '' }],
      ['welcome.dismiss-label', { from: 'Later', to: '' }],
      ['welcome.icon', { from: 'star', to: 'étoile' }],
      ['setup.title', { from: 'Set up', to: '' }],
      ['invite.title', { from: 'Invite', to: '' }],
    ]);
  });

  test('only what is missing, where a shorter tag gives none either', () => {
    const names = (language: string) =>
      Object.keys(exportTexts(read(FLOW), language, { onlyMissing: true }).texts);
    expect(names('pt-BR')).not.toContain('welcome.title');
    expect(names('de')).toContain('welcome.title');
    expect(exportTexts(read(FLOW), 'pt-BR').texts['welcome.title']).toEqual({
      from: 'Welcome',
      to: '',
    });
  });

  test('rich text that Markdown cannot say comes as nodes, and goes back as nodes', () => {
    const nodes = [{ type: 'paragraph', children: [{ text: 'Three', underline: true }] }];
    const text = FLOW.replace("'Three **steps**'", JSON.stringify(nodes));
    const file = exportTexts(read(text), 'de');
    expect(file.texts['welcome.body']!.from).toEqual(nodes);
    const { text: written, isWhole } = put(
      text,
      translated(file, (from) => from),
    );
    expect(isWhole).toBe(true);
    expect(exportTexts(read(written), 'de').texts['welcome.body']!.to).toEqual(nodes);
  });
});

describe('an import leaves every other line as it was (X4, T9)', () => {
  test('translations are changed and added where they belong', () => {
    const file = exportTexts(read(FLOW), 'fr');
    const texts = {
      ...file.texts,
      'welcome.title': { from: 'Welcome', to: 'Salut: «toi»' },
      'welcome.body': { from: 'Three **steps**', to: 'Trois *pas*\n\n- un\n- deux' },
      'invite.title': { from: 'Invite', to: 'Inviter' },
    };
    const { text, ...found } = put(FLOW, { ...file, texts });
    expect(found).toEqual({ put: 3, refused: [], isWhole: true });
    expect(text).toBe(
      FLOW.replace('"Bienvenue"   # as of May', '"Salut: «toi»"   # as of May')
        .replace(
          '      icon: étoile\n',
          '      icon: étoile\n      body: |-\n        Trois *pas*\n\n        - un\n        - deux\n',
        )
        .replace('    setup: {}\n', '    setup: {}\n    invite:\n      title: Inviter\n'),
    );
  });

  test('a new language stands behind the others, and a flow without any gets its first', () => {
    const german = translated(exportTexts(read(FLOW), 'de'), (from) => `${from} (de)`);
    const { text } = put(FLOW, german);
    expect(linesOf(text).filter((line) => !linesOf(FLOW).includes(line))[0]).toBe('  de:');
    const alone = FLOW.slice(0, FLOW.indexOf('languages:'));
    const first = put(
      alone,
      translated(exportTexts(read(alone), 'de'), (from) => `${from}!`),
    );
    expect(first.text.startsWith(alone.trimEnd())).toBe(true);
    expect(read(first.text).languages).toMatchObject([{ language: 'de' }]);
  });

  test.each(EXAMPLES)('%s: a round trip is byte-equal but for what was translated', (name) => {
    const text = exampleOf(name);
    const file = translated(exportTexts(read(text), 'de'), (from) => `„${from}“`);
    const { text: once, put: count, refused, isWhole } = put(text, file);
    expect([refused, isWhole]).toEqual([[], true]);
    expect(count).toBe(Object.keys(file.texts).length);
    const lines = linesOf(once);
    expect(linesOf(text).filter((line) => !lines.includes(line))).toEqual([]);
    expect(exportTexts(read(once), 'de')).toEqual(file);
    expect(put(once, file)).toEqual({ text: once, put: 0, refused: [], isWhole: true });
    const again = translated(file, (from) => `${from} 2`);
    const twice = put(once, again).text;
    expect(put(twice, file).text).toBe(once);
  });

  test('whatever a text holds, it is read back as that very text', () => {
    const say = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.constantFrom('null', 'true', '10', '- a', 'a: b', '# a', "it's", '"', ' a', 'a\n', '{x}'),
    );
    const isFine = (text: string) => !/[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/u.test(text);
    fc.assert(
      fc.property(say.filter(isFine), fc.constantFrom('fr', 'pt', 'de'), (to, language) => {
        const texts = { 'welcome.title': { from: 'Welcome', to } };
        const { text, isWhole } = put(FLOW, { flow: 'hello', language, texts });
        expect(isWhole).toBe(true);
        expect(exportTexts(read(text), language).texts['welcome.title']!.to).toBe(to);
      }),
      { numRuns: 60 },
    );
  });

  test('a flow of many blocks is read once, not once for each text', () => {
    const blocks = Array.from({ length: 900 }, (_, index) => [
      `b${index}`,
      { type: 'modal', fields: { title: `T ${index}` } },
    ]);
    const start = blocks.map(([id]) => id);
    const text = `flow: large\nlanguage: en\nstart: [${start.join(', ')}]\nblocks:\n${blocks
      .map(([id, block]) => `  ${String(id)}: ${JSON.stringify(block)}\n`)
      .join('')}languages:\n  de:\n    b0: { title: T }\n`;
    const { isWhole, put: count } = put(
      text,
      translated(exportTexts(read(text), 'de'), (from) => `${from}!`),
    );
    expect([isWhole, count]).toEqual([true, 900]);
  });

  test('a file in JSON stays one', () => {
    const text = `${JSON.stringify(
      {
        flow: 'hello',
        language: 'en',
        start: 'a',
        blocks: { a: { type: 'modal', fields: { title: 'A' } } },
      },
      null,
      2,
    )}\n`;
    const file = exportTexts(read(text), 'de');
    const { text: written, isWhole } = put(
      text,
      translated(file, () => 'Ä'),
    );
    expect(isWhole).toBe(true);
    expect(JSON.parse(written)).toMatchObject({ languages: { de: { a: { title: 'Ä' } } } });
    expect(linesOf(text).filter((line) => !linesOf(written).includes(line))).toEqual([]);
  });
});

test('an empty translation is passed over, one whose original has changed is refused with its name (X4)', () => {
  const texts = {
    'welcome.title': { from: 'Hello', to: 'Bonjour' },
    'welcome.body': { from: 'Three **steps**', to: '' },
    'welcome.icon': { from: 'star', to: '' },
    'nobody.title': { from: 'x', to: 'y' },
    'welcome.anchor': { from: '#here', to: '#ici' },
    'setup.title': { from: 'Set up', to: 'Préparer' },
  };
  const { text, put: count, refused } = put(FLOW, { flow: 'hello', language: 'fr', texts });
  expect(refused).toEqual([
    'welcome.title was "Hello", it is "Welcome" now',
    'nobody.title is no text of hello',
    'welcome.anchor is no text of hello',
  ]);
  expect(count).toBe(1);
  expect(text).toBe(FLOW.replace('setup: {}', 'setup:\n      title: Préparer'));
});

test('translations behind an alias are written out there, and stay what they are elsewhere (X4)', () => {
  const text = FLOW.replace('fr:\n', 'fr: &french\n').replace(
    '# the end',
    '  fr-CA: *french\n# the end',
  );
  const texts = { 'setup.title': { from: 'Set up', to: 'Préparer' } };
  const { text: written, isWhole } = put(text, { flow: 'hello', language: 'fr-CA', texts });
  expect(isWhole).toBe(true);
  expect(exportTexts(read(written), 'fr')).toEqual(exportTexts(read(text), 'fr'));
  const { texts: before } = exportTexts(read(text), 'fr-CA');
  expect(exportTexts(read(written), 'fr-CA').texts).toEqual({ ...before, ...texts });
});

test('a translation that another alias stands for is reported, not changed there too (X4)', () => {
  const text = FLOW.replace('icon: étoile', 'icon: &star étoile');
  const aliased = text.replace('# the end', '  it: { welcome: { icon: *star } }\n# the end');
  const texts = { 'welcome.icon': { from: 'star', to: 'soleil' } };
  expect(put(aliased, { flow: 'hello', language: 'fr', texts })).toMatchObject({ isWhole: false });
});

test('the first text that shows something of its user may be a translation (X4, Z5)', () => {
  const texts = {
    'setup.title': { from: 'Set up', to: 'Préparez, ${user.properties.name | vous}' },
  };
  const { text, isWhole } = put(FLOW, { flow: 'hello', language: 'fr', texts });
  expect(isWhole).toBe(true);
  expect(exportTexts(read(text), 'fr').texts['setup.title']).toEqual(texts['setup.title']);
});

describe('a translation is older than its original (X5)', () => {
  const version = (title: string, german: string, id = 'welcome') =>
    read(`flow: f
language: en
start: ${id}
blocks:
  ${id}: { type: modal, fields: { title: ${title} }${id === 'hi' ? ', was: welcome' : ''} }
languages:
  de: { ${id}: { title: ${german} } }
`);
  const older = (now: FlowDraft, ...before: FlowDraft[]) => [...findOlderTexts(now, 'de', before)];

  test('where the original is no longer what it was when this translation came', () => {
    const first = version('Hello', 'Hallo');
    expect(older(version('Good day', 'Hallo'), first)).toEqual(['welcome.title']);
    expect(older(version('Good day', 'Hallo'), version('Good day', 'Hallo'), first)).toEqual([
      'welcome.title',
    ]);
    expect(older(first, first)).toEqual([]);
    expect(older(version('Good day', 'Guten Tag'), first)).toEqual([]);
    expect(older(version('Good day', 'Hallo', 'hi'), first)).toEqual(['hi.title']);
  });

  test('by the latest run of versions that have it', () => {
    const again = version('Good day', 'Hallo');
    const between = version('Good day', 'Guten Tag');
    expect(older(again, again, between, version('Hello', 'Hallo'))).toEqual([]);
    expect(older(again, between, version('Hello', 'Hallo'))).toEqual(['welcome.title']);
  });
});
