import { RecentlyUsed } from '../../targeting/values/recently-used.js';
import type { FlowDefinition, Field } from '../definition/definition.js';

type Multilingual = Pick<FlowDefinition, 'language' | 'languages'>;

/** The languages that a user reads, the preferred one first, as tags of BCP 47. */
type LanguageRanges = readonly string[];

/** Ten browsers send fewer than ten; more are not looked at. */
const MOST_RANGES = 20;
/** Real tags have a few subtags (RFC 5646, 4.4.1). Each more is one more truncation to look for. */
const MOST_SUBTAGS = 16;
/** Chromium without a window has `en-US@posix` where the locale of its machine is POSIX. */
const RANGE = new RegExp(
  `^(\\*|[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,${MOST_SUBTAGS - 1}})(?:@posix)?(?:\\s*;\\s*q\\s*=\\s*(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?))?$`,
  'i',
);

/**
 * Chooses the language in which a flow is shown (X2): for each range, in order, the range itself,
 * its truncations, then the first language of the flow with the same language and script (`pt-PT`
 * meets `pt-BR`); the flow's own where none of them is there. Undefined for a flow in one language
 * only.
 */
export function languageChooser({
  language,
  languages,
}: Multilingual): ((ranges: LanguageRanges) => string) | undefined {
  if (language === undefined || !languages) return undefined;
  const exact = new Map<string, string>();
  const relatives = new Map<string | undefined, string>();
  // From the last, so that the first of several stays.
  for (const tag of [language, ...languages.map((texts) => texts.language)].toReversed()) {
    exact.set(tag.toLowerCase(), tag);
    relatives.set(languageAndScript(tag), tag);
  }
  relatives.delete(undefined);
  return (ranges) => {
    for (const range of ranges) {
      const wanted = truncationsOf(range.toLowerCase()).find((tag) => exact.has(tag));
      const found =
        wanted === undefined ? relatives.get(languageAndScript(range)) : exact.get(wanted);
      if (found !== undefined) return found;
    }
    return language;
  };
}

/** What says the language and the script, before extensions and private use. */
const LEADING = /^[a-z]{2,8}(?:-[a-z0-9]{2,8}){0,2}/i;
/** The flows of one answer look for the same ranges, and a tag that nobody knows takes a while. */
const known = new RecentlyUsed<string>(1_000);

/** Undefined for what has the shape of a tag but is none, such as `a-b`. */
function languageAndScript(tag: string): string | undefined {
  const [leading = ''] = LEADING.exec(tag) ?? [];
  const found = known.find(leading) ?? findLanguageAndScript(leading);
  known.set(leading, found, 1);
  return found || undefined;
}

function findLanguageAndScript(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return '';
  }
}

/** The fields of a block or item, by its identifier, in another language. */
type TranslateFields = (id: string, fields: readonly Field[]) => readonly Field[];

/**
 * How fields read in a language of the flow: each text is that of the language, else of its
 * truncations (`pt` for `pt-BR`), else the one in `blocks` (X1). Fields keep their order and type.
 */
export function translationOf(
  { languages = [] }: FlowDefinition,
  language: string,
): TranslateFields {
  const chain = truncationsOf(language).flatMap(
    (tag) => languages.find((texts) => texts.language === tag) ?? [],
  );
  const texts = new Map<string, Map<string, Field>>();
  for (const { blocks } of chain.toReversed())
    for (const { id, fields } of blocks) {
      const known = texts.get(id) ?? new Map<string, Field>();
      for (const field of fields) known.set(field.sid, field);
      texts.set(id, known);
    }
  return (id, fields) => {
    const translated = texts.get(id);
    return translated ? fields.map((field) => translated.get(field.sid) ?? field) : fields;
  };
}

/**
 * Reads a list such as `de-CH, de;q=0.9, *;q=0.5` (RFC 9110, Accept-Language): by weight, then in
 * the order given. `*` and languages of weight 0 choose nothing, so they are left out.
 * `isWellFormed` is false where any element is something else; such elements are skipped (X2).
 */
export function parseLanguageRanges(text: string): {
  ranges: LanguageRanges;
  isWellFormed: boolean;
} {
  const elements = text.split(',', MOST_RANGES).map((element) => RANGE.exec(element.trim()));
  const weighted = elements
    .filter((element) => element !== null)
    .map(([, range = '', weight = '1']) => ({ range, weight: Number(weight) }))
    .filter(({ range, weight }) => range !== '*' && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return {
    ranges: weighted.map(({ range }) => range),
    isWellFormed: elements.every((element) => element !== null),
  };
}

/** The range itself, then each of its truncations, from the longest (RFC 4647, lookup). */
export function truncationsOf(range: string): string[] {
  const subtags = range.split('-');
  const truncations: string[] = [];
  for (let length = subtags.length; length > 0; length--) {
    // A single character introduces an extension, so that it goes with what follows it.
    if (length > 1 && subtags[length - 1]!.length === 1) continue;
    truncations.push(subtags.slice(0, length).join('-'));
  }
  return truncations;
}
