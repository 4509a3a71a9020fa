import type { FlowText, Place } from '@waymark/domain/flow-files/text';
import { nameIn } from './blocks.js';

/** What the form calls the parts of a flow. */
const FLOW_LABELS: Readonly<Record<string, string>> = {
  flow: 'Identifier',
  name: 'Name',
  target: 'Who enters',
  'target.from': 'Users enter from',
  'target.until': 'Users enter until',
  end: 'Ends',
  goal: 'Goal',
  start: 'Starts with',
  blocks: 'Blocks',
  language: 'Language of the texts',
  languages: 'Texts in other languages',
};

const BLOCK_LABELS: Readonly<Record<string, string>> = {
  type: 'Type',
  when: 'Condition',
  for: 'Waits for',
  url: 'Address',
  flow: 'Flow',
  by: 'Who goes the same way',
  done: 'Done by itself',
  items: 'Items',
  next: 'Then',
};

export const FIELD_LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  body: 'Text (Markdown)',
  'complete-label': 'Main button',
  'dismiss-label': 'Dismiss button',
  'next-label': 'Next button',
  'back-label': 'Back button',
  'dismiss-all-label': 'Dismiss button',
};

/** Longer names are cut: they are titles, which may be as long as a text. */
const MOST_LETTERS = 60;

/** What people call the part of a flow in which a place of its text is. */
export function partName(source: FlowText, place: Place): string {
  const [part = '', name, ...below] = place.map(String);
  if (name !== undefined && part === 'blocks') return blockPart(source, name, below);
  if (name !== undefined && part === 'languages')
    return [`Texts in ${languageName(name)}`, ...translatedPart(source, below)].join(', ');
  return FLOW_LABELS[`${part}.${name}`] ?? FLOW_LABELS[part] ?? 'The flow';
}

function blockPart(source: FlowText, id: string, below: readonly string[]): string {
  const [part, name, ...rest] = below;
  if (part === 'items' && name !== undefined) return blockPart(source, name, rest);
  return [shortName(source, id), ...labelIn(part, name)].join(', ');
}

function labelIn(part = '', name?: string): string[] {
  if (name !== undefined && part === 'fields') return [FIELD_LABELS[name] ?? name];
  if (name !== undefined && part === 'paths') return [`path ${name}`];
  return BLOCK_LABELS[part] === undefined ? [] : [BLOCK_LABELS[part]];
}

const translatedPart = (source: FlowText, [id, field]: readonly string[]): string[] => [
  ...(id === undefined ? [] : [shortName(source, id)]),
  ...(field === undefined ? [] : [FIELD_LABELS[field] ?? field]),
];

function shortName(source: FlowText, id: string): string {
  const name = nameIn(source, id);
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name;
}

/** `German (de)`. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}
