import {
  type BlockDraft,
  didYouMean,
  type Field,
  type ItemDraft,
  type Translation,
  truncationsOf,
} from '../../engine/index.js';
import type { Json } from '../../targeting/json/json.js';
import { ANCHOR, isText, isToTranslate } from '../keys/standard-fields.js';
import { readMarkdown, readRichText } from '../rich-text/read-rich-text.js';
import type { FileNode } from '../source/file-node.js';
import { listOf, quote } from '../source/wording.js';
import { withParts } from '../personal-text/personal-fields.js';

type Part = BlockDraft | ItemDraft;
interface Languages {
  readonly language?: string;
  readonly languages?: Translation[];
}

/** The texts of a flow in other languages (X1); what is wrong is reported, and left out. */
export function readLanguages(
  own: FileNode | undefined,
  others: FileNode | undefined,
  blocks: readonly BlockDraft[],
): Languages {
  const language = own && readTag(own);
  if (!others) return language === undefined ? {} : { language };
  if (!own)
    others.reportKey(
      'languages.without-language',
      'languages need the language of the texts in blocks as well: language: en',
    );
  const parts = new Map(
    blocks
      .flatMap((block): Part[] => [block, ...('items' in block ? block.items : [])])
      .map((part) => [part.id, part]),
  );
  const known = new Set(language === undefined ? [] : [language]);
  const languages = others
    .entries('languages as a map of tags to texts')
    .flatMap(({ key, value }) => {
      const tag = canonical(key);
      if (tag === undefined) value.reportKey('language.unknown', notATag(key));
      else if (known.has(tag))
        value.reportKey('language.twice', `the language ${tag} is given twice`);
      else known.add(tag);
      return { language: tag ?? key, blocks: readTexts(value, parts), node: value };
    });
  warnOfMissing(languages, [...parts.values()]);
  return {
    ...(language !== undefined && { language }),
    languages: languages.map(({ language: tag, blocks: texts }) => ({
      language: tag,
      blocks: texts,
    })),
  };
}

function readTag(node: FileNode): string | undefined {
  const written = node.text('the language of a flow');
  const tag = written === undefined ? undefined : canonical(written);
  if (written !== undefined && tag === undefined) node.report('language.unknown', notATag(written));
  return tag;
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

const notATag = (text: string): string =>
  `${quote(text)} is not a language tag; write a tag of BCP 47, such as de, pt-BR or zh-Hant`;

function readTexts(node: FileNode, parts: ReadonlyMap<string, Part>): Translation['blocks'] {
  return node.entries('texts as a map of blocks and items to fields').flatMap(({ key, value }) => {
    const part = parts.get(key);
    if (part) return { id: key, fields: readFields(value, part) };
    const renamed = [...parts.values()].find(({ was }) => was === key);
    value.reportKey(
      'language.unknown-block',
      renamed
        ? `${quote(key)} is the former identifier of ${renamed.id}; write ${renamed.id} here too`
        : `there is no block or item ${quote(key)}${didYouMean(key, [...parts.keys()])}`,
    );
    return [];
  });
}

function readFields(node: FileNode, part: Part): Field[] {
  const fields = part.fields.filter(isText);
  return node.entries(`texts of ${part.id} as a map of fields`).flatMap(({ key, value }) => {
    const field = fields.find(({ sid }) => sid === key);
    if (field) return readPersonal(value, field) ?? [];
    value.reportKey('language.unknown-field', whyUnusable(key, part, fields));
    return [];
  });
}

function whyUnusable(sid: string, { id, type, fields }: Part, texts: readonly Field[]): string {
  if (sid === ANCHOR) return `${ANCHOR} is the same in every language`;
  const field = fields.find((one) => one.sid === sid);
  if (field) return `field ${sid} of ${id} is a ${field.type}, which has no language`;
  const names = texts.map((one) => one.sid);
  const there = names.length === 0 ? '' : `; it has ${listOf(names)}`;
  return `${type} ${id} has no field ${quote(sid)}${didYouMean(sid, names) || there}`;
}

function readPersonal(node: FileNode, field: Field): Field | undefined {
  const text = readText(node, field);
  return text && withParts(node, text);
}

function readText(node: FileNode, { sid, type }: Field): Field | undefined {
  if (type === 'richText' && node.isList())
    return { sid, type, value: readRichText(node) as unknown as Json };
  const text = node.text(type === 'richText' ? 'a translation' : `field ${sid}`);
  if (text === undefined) return undefined;
  if (type === 'string') return { sid, type, value: text };
  const nodes = readMarkdown(node, text);
  return nodes ? { sid, type, value: nodes as unknown as Json } : undefined;
}

/** One warning for each language, since a translation is made whole (X1). */
function warnOfMissing(
  languages: readonly (Translation & { readonly node: FileNode })[],
  parts: readonly Part[],
): void {
  const given = new Map(languages.map((one) => [one.language, textNames(one)]));
  const everywhere = new Set([...given.values()].flatMap((names) => [...names]));
  const wanted = parts.flatMap((part) =>
    part.fields
      .filter((field) => isToTranslate(field, part, everywhere))
      .map(({ sid }) => `${part.id}.${sid}`),
  );
  for (const { language, node } of languages) {
    const names = truncationsOf(language).map((tag) => given.get(tag));
    const missing = wanted.filter((name) => !names.some((known) => known?.has(name)));
    const [first] = missing;
    if (first === undefined) continue;
    const count = missing.length === 1 ? '1 text is' : `${missing.length} texts are`;
    const such = missing.length === 1 ? first : `the first is ${first}`;
    node.warnKey('language.missing', `${count} missing in ${language}: ${such}`);
  }
}

const textNames = ({ blocks }: Translation): Set<string> =>
  new Set(blocks.flatMap(({ id, fields }) => fields.map(({ sid }) => `${id}.${sid}`)));
