import {
  type Attention,
  type Block,
  type FlowDefinition,
  partsOf,
  spokenNamesOf,
  type Target,
  type Translation,
} from '../../engine/index.js';
import { diffFields } from './diff-fields.js';
import { type Names, type Renames, describeTargets } from './diff-paths.js';
import { diffParts } from './diff-parts.js';
import type { Place } from '../source/file-problem.js';
import { changed, type Difference, reordered } from './difference.js';

/**
 * What differs between two definitions of a flow, in words; nothing when they are the same. Blocks
 * are the same when their uids are (F3), so that a rename is one difference, however many paths
 * lead to the block. With `titles` blocks are called by these instead of their identifiers (T16).
 */
export function diffFlows(
  before: FlowDefinition,
  after: FlowDefinition,
  { titles = false } = {},
): Difference[] {
  const renames = findRenames(before.blocks, after.blocks);
  const names = { renames, nameOf: titles ? titlesIn(before, after) : (id: string) => id };
  return [
    ...changed(['name'], 'the name', before.name, after.name),
    ...changed(
      ['target'],
      'targeting',
      describeTarget(before.target),
      describeTarget(after.target),
    ),
    ...(['from', 'until'] as const).flatMap((bound) =>
      changed(
        ['target', bound],
        bound === 'from' ? 'when users begin to enter' : 'until when users enter',
        before.target[bound],
        after.target[bound],
      ),
    ),
    ...diffSegments(before.segments ?? {}, after.segments ?? {}),
    ...changed(['end'], 'the end', before.end, after.end),
    ...changed(['goal'], 'the goal', before.goal, after.goal),
    ...changed(
      ['attention'],
      'the attention group',
      describeAttention(before.attention),
      describeAttention(after.attention),
    ),
    ...diffStart(before, after, names),
    ...diffParts(['blocks'], before.blocks, after.blocks, names),
    ...changed(['language'], 'the language of the texts', before.language, after.language),
    ...diffLanguages(before.languages ?? [], after.languages ?? [], names),
  ];
}

/**
 * What a segment means that both mention; one that only one of them mentions differs in a condition
 * (Z6).
 */
function diffSegments(
  before: NonNullable<FlowDefinition['segments']>,
  after: NonNullable<FlowDefinition['segments']>,
): Difference[] {
  return Object.keys(after)
    .filter((name) => Object.hasOwn(before, name))
    .flatMap((name) => changed(['segments', name], `segment ${name}`, before[name], after[name]));
}

/** By text; those of a renamed block are the same under its new identifier. */
function diffLanguages(
  before: readonly Translation[],
  after: readonly Translation[],
  names: Names,
): Difference[] {
  const former = new Map(before.map(({ language, blocks }) => [language, blocks]));
  const present = new Set(after.map(({ language }) => language));
  const removed = before.filter(({ language }) => !present.has(language));
  return [
    ...removed.map(({ language }): Difference => ({
      kind: 'removed',
      place: ['languages', language],
      text: `the language ${language} is removed`,
    })),
    ...after.flatMap(({ language, blocks }): Difference[] => {
      const place = ['languages', language];
      const had = former.get(language);
      if (!had) return [{ kind: 'added', place, text: `the language ${language} is added` }];
      return diffTexts(place, had, blocks, names);
    }),
    ...reordered(['languages'], 'languages', former.keys(), present),
  ];
}

function diffTexts(
  place: Place,
  before: Translation['blocks'],
  after: Translation['blocks'],
  { renames, nameOf }: Names,
): Difference[] {
  const language = String(place[1]);
  const had = new Map(before.map(({ id, fields }) => [renames.get(id) ?? id, fields]));
  const has = new Map(after.map(({ id, fields }) => [id, fields]));
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((id) =>
    diffFields(
      [...place, id],
      `${nameOf(id)} in ${language}`,
      had.get(id) ?? [],
      has.get(id) ?? [],
    ),
  );
}

function diffStart(
  before: FlowDefinition,
  after: FlowDefinition,
  { renames, nameOf }: Names,
): Difference[] {
  const former = before.start.map((id) => renames.get(id) ?? id);
  if (former.join() === after.start.join()) return [];
  const [led, leads] = [former, after.start].map((ids) => describeTargets(ids.map(nameOf)));
  return [{ kind: 'changed', place: ['start'], text: `the start leads ${leads}, led ${led}` }];
}

/** What people call blocks now; those that are removed, what they called them. */
function titlesIn(before: FlowDefinition, after: FlowDefinition): Names['nameOf'] {
  const present = new Set(partsOf(after).map(({ id }) => id));
  const [was, is] = [spokenNamesOf(before), spokenNamesOf(after)];
  return (id) => (present.has(id) ? is(id) : was(id));
}

/** A removed block whose identifier another one has taken over is not that other one. */
function findRenames(before: readonly Block[], after: readonly Block[]): Renames {
  const present = new Map(after.map(({ uid, id }) => [uid, id]));
  const kept = new Set(before.map(({ uid }) => present.get(uid)));
  return new Map(
    before.map(({ uid, id }) => [id, present.get(uid) ?? (kept.has(id) ? `the former ${id}` : id)]),
  );
}

function describeTarget(target: Target): string {
  return 'when' in target ? `${target.users}: ${target.when}` : target.users;
}

function describeAttention(attention: Attention | undefined): string | undefined {
  return attention && `${attention.group}, priority ${attention.priority ?? 0}`;
}
