import { expect, test } from '@jest/globals';
import { FlowText } from '@waymark/domain/flow-files/text';
import { partName } from './part-name.js';

const TEXT = `flow: f
target: { users: matching, when: a == 1, until: 2026-01-31 }
start: hello
tag: of ours
language: en
blocks:
  hello:
    type: modal
    done: b == 2
    fields: { title: Welcome to Acme, complete-label: Go, own: text }
    paths: { complete: [list, finish], dismiss: &end finish }
  list:
    type: checklist
    items:
      photo: { fields: { title: A photo } }
    paths: { 'complete,dismiss': *end }
  ask: { type: custom, fields: { title: ${'long '.repeat(30)}}, paths: { no: finish } }
languages:
  de:
    hello: { title: Willkommen }
`;

test('each place of a text has the name of the part of the form in which it is (T9, T16)', () => {
  const source = FlowText.of(TEXT);
  const named = (written: string): string =>
    partName(source, source.placeAt(TEXT.indexOf(written)));
  expect(
    [
      ['flow: f', 'Identifier'],
      ['matching', 'Who enters'],
      ['a == 1', 'Who enters'],
      ['2026', 'Users enter until'],
      ['start', 'Starts with'],
      ['of ours', 'The flow'],
      ['hello:', 'Welcome to Acme (hello)'],
      ['b == 2', 'Welcome to Acme (hello), Done by itself'],
      ['Welcome', 'Welcome to Acme (hello), Title'],
      ['Go', 'Welcome to Acme (hello), Main button'],
      ['own', 'Welcome to Acme (hello), own'],
      ['finish]', 'Welcome to Acme (hello), path complete'],
      ['items', 'list, Items'],
      ['photo', 'A photo (photo)'],
      ['A photo', 'A photo (photo), Title'],
      ['*end', 'list, path complete,dismiss'],
      ['no:', `${'long '.repeat(12)}…, path no`],
      ['de:', 'Texts in German (de)'],
      ['Willkommen', 'Texts in German (de), Welcome to Acme (hello), Title'],
    ].filter(([written, name]) => named(written!) !== name),
  ).toEqual([]);
});

test('an alias has a place too where it stands for itself', () => {
  const text = 'blocks: &all { again: *all }';
  expect(FlowText.of(text).placeAt(text.indexOf('*all'))).toEqual(['blocks', 'again']);
});
