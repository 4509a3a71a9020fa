import type { FlowDraft } from '../../engine/index.js';
import { isSame, type Json } from '../../targeting/json/json.js';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { FlowText, mapValue, type Place, putAll, textValue, type Written } from '../text/index.js';
import { isSameText, knownTexts, type TranslationFile, type WrittenText } from './translations.js';

export interface ImportedTexts {
  /** The flow file with the translations in it; every other line is as it was (T9). */
  readonly text: string;
  /** How many texts are others than before. */
  readonly put: number;
  /** A sentence for each text whose original is no longer the one that was translated. */
  readonly refused: readonly string[];
  /**
   * Whether the text says what was wanted; not where another alias of YAML stands for what was
   * written.
   */
  readonly isWhole: boolean;
}

type Wanted = readonly [block: string, field: string, to: WrittenText];

/**
 * Puts translations into a flow file that has `language` and describes `draft` (X4). An empty `to`
 * is passed over; a text whose original has changed since it was exported is refused.
 */
export function importTexts(
  text: string,
  draft: FlowDraft,
  { language, texts }: TranslationFile,
): ImportedTexts {
  const known = new Map(knownTexts(draft, language).map((one) => [one.name, one]));
  const refused: string[] = [];
  const wanted: Wanted[] = [];
  for (const [name, { from, to }] of Object.entries(texts)) {
    if (to.length === 0) continue;
    const present = known.get(name);
    if (!present) refused.push(`${name} is no text of ${draft.flow}`);
    else if (!isSameText(from, present.from))
      refused.push(`${name} was ${quoted(from)}, it is ${quoted(present.from)} now`);
    else if (!isSameText(to, present.to)) wanted.push([...splitName(name), to]);
  }
  const written = wanted.length === 0 ? text : writeTexts(text, language, wanted);
  return {
    text: written,
    put: wanted.length,
    refused,
    isWhole: wanted.length === 0 || says(written, draft, language, wanted),
  };
}

/** No identifier has a dot. */
const splitName = (name: string): [block: string, field: string] => {
  const dot = name.indexOf('.');
  return [name.slice(0, dot), name.slice(dot + 1)];
};

const LONGEST_QUOTE = 60;
function quoted(text: WrittenText): string {
  const written = JSON.stringify(text);
  return written.length > LONGEST_QUOTE ? `${written.slice(0, LONGEST_QUOTE)}…` : written;
}

function writeTexts(text: string, language: string, wanted: readonly Wanted[]): string {
  const source = FlowText.of(text);
  const tag = source.keys(['languages']).find((key) => isTag(key, language)) ?? language;
  const place = ['languages', tag];
  const blocks = [...groupByBlock(wanted)];
  const values = blocks.map(([block, fields]) => [block, mapValue(fields)] as const);
  // A map that is not there, or has nothing in it, is written whole, as two places would both begin
  // it.
  if (source.keys(place).length === 0) return putAll(text, [[place, mapValue(values)]]);
  const puts = blocks.flatMap(([block, fields]): [Place, Written][] => {
    const below = [...place, block];
    if (source.keys(below).length === 0) return [[below, mapValue(fields)]];
    return fields.map(([field, value]) => [[...below, field], value]);
  });
  return putAll(text, puts);
}

function groupByBlock(wanted: readonly Wanted[]): Map<string, [field: string, value: Written][]> {
  const groups = new Map<string, [string, Written][]>();
  for (const [block, field, to] of wanted) {
    const value = typeof to === 'string' ? textValue(to) : JSON.stringify(to);
    groups.set(block, [...(groups.get(block) ?? []), [field, value]]);
  }
  return groups;
}

function isTag(key: string, language: string): boolean {
  try {
    return Intl.getCanonicalLocales(key)[0] === language;
  } catch {
    return false;
  }
}

/** Reads the text again: it has the translations, and everything else is as it was. */
function says(
  text: string,
  before: FlowDraft,
  language: string,
  wanted: readonly Wanted[],
): boolean {
  const { draft } = parseFlowFile(text, { file: '' });
  // What is wrong with a translation itself is reported by the next reader of the text.
  if (!draft) return true;
  const after = new Map(knownTexts(draft, language).map((one) => [one.name, one.to]));
  const names = new Set(wanted.map(([block, field]) => `${block}.${field}`));
  return (
    wanted.every(([block, field]) => after.get(`${block}.${field}`)?.length) &&
    isSame(without(draft, language, names), without(before, language, names))
  );
}

function without(draft: FlowDraft, language: string, names: ReadonlySet<string>): Json {
  const languages = (draft.languages ?? []).map((one) => ({
    language: one.language,
    texts: one.blocks.flatMap(({ id, fields }) =>
      fields.filter(({ sid }) => one.language !== language || !names.has(`${id}.${sid}`)),
    ),
  }));
  const others = languages.filter(
    ({ texts, language: tag }) => texts.length > 0 || tag !== language,
  );
  // A translation may need another format than the rest of the flow.
  return JSON.parse(JSON.stringify({ ...draft, format: 1, languages: others })) as Json;
}
