import { type Field, type FlowDraft, type Translation, truncationsOf } from '../../engine/index.js';
import { isSame, type Json } from '../../targeting/json/json.js';
import { asWritten } from '../personal-text/personal-fields.js';
import { isText, isToTranslate } from '../keys/standard-fields.js';
import type { RichTextNode } from '../rich-text/rich-text-node.js';
import { findMarkdown } from '../rich-text/to-markdown.js';

/** A text as translators get it: plain, Markdown, or nodes where Markdown cannot say the same. */
export type WrittenText = string | readonly RichTextNode[];

/** A text of the flow, and what it is in another language: empty where that has none. */
export interface TranslatedText {
  readonly from: WrittenText;
  readonly to: WrittenText;
}

/** What translators work on: texts by block or item and field, such as `welcome.title` (X4). */
export interface TranslationFile {
  readonly flow: string;
  readonly language: string;
  readonly texts: Readonly<Record<string, TranslatedText>>;
}

interface KnownText extends TranslatedText {
  readonly name: string;
  readonly type: Field['type'];
  /** Whether a translation without it is not whole (X1). */
  readonly isWanted: boolean;
  /** Whether neither the language nor a truncation of it gives one. */
  readonly isMissing: boolean;
}

/** Every text of a flow that may read otherwise in a language, in the order of the file. */
export function knownTexts(
  { blocks, languages = [] }: Pick<FlowDraft, 'blocks' | 'languages'>,
  language: string,
): KnownText[] {
  const given = new Map(languages.map((one) => [one.language, fieldsOf(one)]));
  const everywhere = new Set([...given.values()].flatMap((fields) => [...fields.keys()]));
  const chain = truncationsOf(language);
  return partsIn({ blocks }).flatMap((part) =>
    part.fields.filter(isText).map((field) => {
      const name = `${part.id}.${field.sid}`;
      const own = given.get(language)?.get(name);
      return {
        name,
        type: field.type,
        from: writtenText(field),
        to: own ? writtenText(own) : '',
        isWanted: own !== undefined || isToTranslate(field, part, everywhere),
        isMissing: !chain.some((tag) => given.get(tag)?.has(name)),
      };
    }),
  );
}

/**
 * What a translator needs for a language; with `onlyMissing`, what nobody has translated yet (X4).
 */
export function exportTexts(
  flow: FlowDraft,
  language: string,
  { onlyMissing = false }: { readonly onlyMissing?: boolean } = {},
): TranslationFile {
  const wanted = knownTexts(flow, language).filter(
    ({ isWanted, isMissing }) => isWanted && (isMissing || !onlyMissing),
  );
  return {
    flow: flow.flow,
    language,
    texts: Object.fromEntries(wanted.map(({ name, from, to }) => [name, { from, to }])),
  };
}

/** A flow as it is, or once was; a draft may know what its blocks were called before. */
type Described = Pick<FlowDraft, 'blocks' | 'languages'>;

/**
 * Names of texts that are older than their originals (X5): the original is no longer what it was in
 * the lowest of the latest run of `versions` that have this very translation. Versions come newest
 * first.
 */
export function findOlderTexts(
  draft: Described,
  language: string,
  versions: readonly Described[],
): ReadonlySet<string> {
  const known = versions.map((version) => textsOf(version, language));
  const translations = textsOf(draft, language).translations;
  const older = new Set<string>();
  for (const part of partsIn(draft))
    for (const { sid, value } of part.fields.filter(isText)) {
      const names = [part.id, ...(part.was === undefined ? [] : [part.was])].map(
        (id) => `${id}.${sid}`,
      );
      const translation = translations.get(names[0]!);
      if (translation === undefined) continue;
      const found = known.map((texts) => names.find((name) => texts.translations.has(name)));
      const isSameIn = (index: number): boolean =>
        found[index] !== undefined &&
        isSame(known[index]!.translations.get(found[index])!, translation);
      const newest = known.findIndex((_, index) => isSameIn(index));
      if (newest < 0) continue;
      let lowest = newest;
      while (lowest + 1 < known.length && isSameIn(lowest + 1)) lowest++;
      const original = known[lowest]!.originals.get(found[lowest]!);
      if (original === undefined || !isSame(original, value)) older.add(names[0]!);
    }
  return older;
}

const partsIn = ({ blocks }: Pick<FlowDraft, 'blocks'>) =>
  blocks.flatMap((block) => [block, ...('items' in block ? block.items : [])]);

function textsOf(flow: Described, language: string) {
  const given = (flow.languages ?? []).find((one) => one.language === language);
  const valuesIn = (parts: readonly { id: string; fields: readonly Field[] }[]) =>
    new Map(
      parts.flatMap(({ id, fields }) =>
        fields.map(({ sid, value }): [string, Json] => [`${id}.${sid}`, value]),
      ),
    );
  return { originals: valuesIn(partsIn(flow)), translations: valuesIn(given?.blocks ?? []) };
}

const fieldsOf = ({ blocks }: Translation): Map<string, Field> =>
  new Map(blocks.flatMap(({ id, fields }) => fields.map((field) => [`${id}.${field.sid}`, field])));

function writtenText(field: Field): WrittenText {
  const { type, value } = asWritten(field);
  if (value === null) return '';
  if (type !== 'richText') return String(value);
  const nodes = value as unknown as RichTextNode[];
  return findMarkdown(nodes) ?? nodes;
}

export const isSameText = (one: WrittenText, other: WrittenText): boolean =>
  isSame(one as unknown as Json, other as unknown as Json);
