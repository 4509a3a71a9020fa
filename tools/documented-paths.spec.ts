import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  ...below('docs'),
].filter((file) => file.endsWith('.md'));
const sources = ['apps', 'libs', 'bench', 'tools', 'docs', 'examples']
  .flatMap(below)
  .filter((file) => !file.includes('node_modules'));

const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
/** A file with its folder, as code; `*` stands for several. */
const PATH = /`([\w@.-]+\/[\w@./-]+\.(?:tsx?|mjs|json|md|sql|yaml|peggy|conf))`/g;

/** Headings as links name them. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('links in %s lead to files and headings that are there', (page) => {
  const dead = [...readFileSync(page, 'utf8').matchAll(LINK)].filter(([, to, anchor]) => {
    const target = to ? path.join(path.dirname(page), to) : page;
    return (
      !existsSync(target) ||
      (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor))
    );
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test.each(pages)('sources that %s names are there', (page) => {
  const named = [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, file]) => file!);
  expect(
    named.filter(
      (file) => !sources.some((source) => source === file || source.endsWith(`/${file}`)),
    ),
  ).toEqual([]);
});

test('the tests that CONTRIBUTING.md names for a step are there', () => {
  const commands = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(
    /^Tests:.*?`[^`]*node tools\/test\.mjs ([^`]+)`/gm,
  );
  const words = [...commands].flatMap(([, list]) => list!.split(' '));
  expect(words.length).toBeGreaterThan(20);
  const specs = sources.filter((file) => file.endsWith('spec.ts'));
  expect(words.filter((word) => !specs.some((file) => new RegExp(word).test(file)))).toEqual([]);
});

test('every ADR that a comment or a page cites is there', () => {
  const there = readdirSync('docs/adr').map((file) => Number.parseInt(file));
  const cited = [...sources, ...pages]
    .filter((file) => /\.(?:tsx?|mjs|md)$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bADR (\d+)/g)].map(([, number]) => ({
        file,
        number: Number(number),
      })),
    );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ number }) => !there.includes(number))).toEqual([]);
});
