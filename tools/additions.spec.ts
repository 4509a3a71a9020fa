import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { EXPOSED_TYPES, ITEM_TYPES, LOGIC_TYPES } from '@waymark/domain/engine';

/**
 * Places that a new block type, page, setting or tool needs and that no type leads to;
 * CONTRIBUTING.md lists them.
 */
const read = (file: string): string => readFileSync(file, 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name!);

const items: readonly string[] = Object.values(ITEM_TYPES);
const shown = EXPOSED_TYPES.filter((type) => !items.includes(type));
const written = [...shown, ...LOGIC_TYPES].sort();
const KEY = /^ {2}'?([a-z-]+)'?: /gm;

test('docs/flows.md has a row for every type of block (S2)', () => {
  const [, table] = /\n## Blocks\n([^]*?)\n\n[A-Z]/.exec(read('docs/flows.md'))!;
  const cells = matches(table!, /^\| (`[^|]*) +\|/gm);
  const names = cells.flatMap((cell) => matches(cell.replace(/, with .*/, ''), /`([a-z-]+)`/g));
  expect(names.sort()).toEqual(written);
});

test('the form of the studio offers every type of block (T9)', () => {
  const [, types] = /const BLOCK_TYPES = \{([^]*?)\n\}/.exec(
    read('apps/studio/pages/edit/form/blocks.ts'),
  )!;
  expect(matches(types!, KEY).sort()).toEqual(written);
});

test('generated flows have every type of block (S2)', () => {
  const [, types] = /const types: RecipeType\[\] = \[([^]*?)\]/.exec(
    read('libs/testing/src/generators/recipes.ts'),
  )!;
  expect(matches(types!, /'([a-z-]+)'/g).sort()).toEqual(written);
});

test('@waymark/elements draws every type that users see, but custom ones (N1)', () => {
  const [, drawn] = /const DRAW[^=]*= \{([^]*?)\n\}/.exec(read('libs/elements/src/show-flows.ts'))!;
  expect([...matches(drawn!, KEY), 'custom'].sort()).toEqual([...shown].sort());
});

test('docs/clients.md says how every type is shown that users see (N2)', () => {
  const [, table] = /\n### What is shown where\n([^]*?)\n\n[A-Z]/.exec(read('docs/clients.md'))!;
  const rows = matches(table!, /^\| ([a-z][a-z-]*) +\|/gm).filter((name) => name !== 'type');
  expect(rows.sort()).toEqual([...shown].sort());
});

test('every section of the studio is among the views that are looked at (T5)', () => {
  const sections = new Set(
    matches(read('apps/studio/pages/app/view.tsx'), /section === '([a-z-]+)'/g),
  );
  const seen = matches(read('apps/studio/e2e/page-views.ts'), /at: ['`]\/\w+\/([a-z-]+)/g);
  expect(sections.size).toBeGreaterThan(2);
  expect([...sections].filter((section) => !seen.includes(section))).toEqual([]);
});

test('every dialog of the studio is among those that are looked at (T5)', () => {
  const folder = 'apps/studio/pages';
  const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      matches(
        read(path.join(folder, file)),
        /<(?:Dialog|Confirm)\b[^>]*?\btitle=(?:"|\{`)([^"`$]+)/g,
      ),
    );
  const seen = matches(read('apps/studio/e2e/page-dialogs.ts'), /dialog: ['"]([^'"]+)/g);
  expect(titles.length).toBeGreaterThan(10);
  expect(titles.filter((title) => !seen.some((one) => one.startsWith(title)))).toEqual([]);
});

test('every setting is used somewhere', () => {
  const files = ['apps', 'libs/service-kit']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => /\/src\/.*(?<!spec)\.ts$/.test(file));
  const isSettings = (file: string) => /\/config\/(?:service-)?settings\.ts$/.test(file);
  const code = files.filter((file) => !isSettings(file)).map(read);
  const members = files
    .filter(isSettings)
    .flatMap((file) => matches(read(file), /^ {2}(?:abstract )?readonly (\w+)[?!:]/gm));
  expect(members.length).toBeGreaterThan(30);
  const isUsed = (member: string) =>
    code.some((text) => new RegExp(`(?:\\.|[{,]\\s*)${member}\\b`).test(text));
  expect(members.filter((member) => !isUsed(member))).toEqual([]);
});

test('docs/agents.md has every tool for agents (M1)', () => {
  const folder = 'apps/waymark/src/mcp/tools';
  const tools = readdirSync(folder).flatMap((file) =>
    matches(read(path.join(folder, file)), /^ {4}name: '(\w+)'/gm),
  );
  const docs = read('docs/agents.md');
  expect(tools.length).toBeGreaterThan(10);
  expect(tools.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});
