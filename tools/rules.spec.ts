import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const FOLDERS = ['apps', 'libs', 'bench', 'tools', 'docs'];
const TEXT = /\.(tsx?|mjs|cjs|md|peggy)$/;
const BUILT = /(^|\/)(node_modules|dist)\/|\.generated\./;

const rules = readFileSync('docs/rules.md', 'utf8');
const listed = [...rules.matchAll(/^- \*\*\[?(\w+)(?:\]\(\.\.\/([^)]+)\))?\*\* /gm)];
const promised = listed.map(([, rule]) => rule!);
const letters = [...rules.matchAll(/^## (\w): /gm)].map(([, letter]) => letter!);
/** Not part of a longer word, an escape such as %F0, or a date such as 2024-W01. */
const RULE = new RegExp(`(?<![\\w%\\\\-])[${letters.join('')}][1-9]\\d?(?!\\w)`, 'g');

/** `file:line rule` for every rule that a file cites. */
function citations(file: string): { place: string; rule: string }[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    [...line.matchAll(RULE)].map(([rule]) => ({ place: `${file}:${index + 1} ${rule}`, rule })),
  );
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
).filter((file) => TEXT.test(file) && !BUILT.test(file));

test('every rule that is cited anywhere stands in docs/rules.md', () => {
  const cited = files.flatMap(citations);
  expect(cited.length).toBeGreaterThan(400);
  expect(cited.filter(({ rule }) => !promised.includes(rule)).map(({ place }) => place)).toEqual(
    [],
  );
});

test('docs/rules.md has each rule once', () => {
  expect(promised).toEqual([...new Set(promised)]);
});

test('every rule is cited by a test, every goal of performance by the benchmark that measures it', () => {
  const proofs = files.filter((file) => /spec\.tsx?$/.test(file) || /^bench\/.*\.mjs$/.test(file));
  const proven = new Set(proofs.flatMap(citations).map(({ rule }) => rule));
  expect(promised.filter((rule) => !proven.has(rule))).toEqual([]);
});

test('every rule of docs/rules.md names a test or a benchmark that cites it', () => {
  const wrong = listed.filter(
    ([, rule, file]) =>
      file === undefined ||
      !/(spec\.tsx?|^bench\/.*\.mjs)$/.test(file) ||
      !existsSync(file) ||
      !citations(file).some((citation) => citation.rule === rule),
  );
  expect(wrong.map(([, rule]) => rule)).toEqual([]);
});

test('docs/rules.md begins with a table of its chapters', () => {
  expect([...rules.matchAll(/^\| \[(\w)\]\(#/gm)].map(([, letter]) => letter)).toEqual(letters);
});
