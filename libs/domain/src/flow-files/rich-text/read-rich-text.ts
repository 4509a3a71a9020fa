import type { FileNode } from '../source/file-node.js';
import { MAX_MARKDOWN_LENGTH, parseMarkdown } from './markdown.js';
import {
  ALIGNMENTS,
  ELEMENTS,
  ELEMENT_TYPES,
  MARKS,
  MAX_ELEMENT_LEVELS,
  type ElementKey,
  type ElementType,
  type RichTextNode,
} from './rich-text-node.js';
import { listOf, quote } from '../source/wording.js';

const TOO_DEEP = `rich text nests at most ${MAX_ELEMENT_LEVELS} levels deep`;

/** Rich text written as Markdown (F2); null in place of what was reported. */
export function readMarkdown(node: FileNode, markdown: string): RichTextNode[] | null {
  if (markdown.length > MAX_MARKDOWN_LENGTH) {
    node.report(
      'rich-text.too-long',
      `Markdown has at most ${MAX_MARKDOWN_LENGTH} characters, not ${markdown.length}`,
    );
    return null;
  }
  const nodes = parseMarkdown(markdown);
  if (!nodes) node.report('rich-text.too-deep', TOO_DEEP);
  for (const problem of new Set((nodes ?? []).flatMap(addressProblems)))
    node.report('rich-text.address', problem);
  return nodes ?? null;
}

const LINKS = ['http', 'https', 'mailto', 'tel'];
const MEDIA = ['http', 'https', 'data'];
const SCHEMES: Partial<Record<ElementType, readonly string[]>> = {
  link: LINKS,
  image: MEDIA,
  video: MEDIA,
};

/** Markdown nests at most as deep as rich text may. */
function addressProblems(node: RichTextNode): string[] {
  if (!('type' in node)) return [];
  return [
    addressProblem(node.type, node.url ?? '') ?? [],
    node.children.flatMap(addressProblems),
  ].flat();
}

/** Rich text written as nodes (F2); what was reported is left out. */
export function readRichText(list: FileNode): RichTextNode[] {
  return list.elements().flatMap((node) => readNode(node, 1) ?? []);
}

function readNode(node: FileNode, level: number): RichTextNode | undefined {
  if (level > MAX_ELEMENT_LEVELS) {
    node.report('rich-text.too-deep', TOO_DEEP);
    return undefined;
  }
  if (!node.isMap()) {
    node.report(
      'rich-text.node',
      `a rich text node is {text: …} or {type: …, children: […]}, not ${node.describe()}`,
    );
    return undefined;
  }
  return node.find('type') ? readElement(node, level) : readText(node);
}

function readText(node: FileNode): RichTextNode | undefined {
  const parts = node.parts('a text node', ['text', ...MARKS]);
  if (!parts.has('text'))
    node.reportMissing('text', 'a rich text node needs text, or a type and children');
  const text = parts.get('text')?.text('text');
  const marks = MARKS.filter((mark) => parts.has(mark)).map((mark) => [
    mark,
    readMark(parts.get(mark)!, mark),
  ]);
  return text === undefined ? undefined : { text, ...Object.fromEntries(marks) };
}

function readMark(node: FileNode, mark: string): boolean {
  const value = node.scalar();
  if (typeof value !== 'boolean')
    node.report('rich-text.mark', `${mark} is true or false, not ${node.describe()}`);
  return value === true;
}

function readElement(node: FileNode, level: number): RichTextNode | undefined {
  const type = node
    .find('type')!
    .oneOf(ELEMENT_TYPES, 'the type of a rich text node', 'rich-text.type', 'no rich text node');
  if (!type) return undefined;
  const keys: readonly ElementKey[] = ELEMENTS[type];
  const parts = node.parts(type, ['type', ...keys, 'children']);
  if (keys.includes('url') && !parts.has('url')) node.reportMissing('url', `${type} needs a url`);
  const given = keys
    .filter((key) => parts.has(key))
    .map((key) => [key, readAttribute(parts.get(key)!, key, type)]);
  return {
    type,
    ...Object.fromEntries(given),
    children: readChildren(node, parts.get('children'), type, level),
  };
}

function readAttribute(node: FileNode, key: ElementKey, type: ElementType): string {
  const text = node.text(key);
  const problem = key === 'url' && addressProblem(type, text ?? '');
  if (problem) node.report('rich-text.address', problem);
  if (key === 'align' && text !== undefined && !ALIGNMENTS.includes(text)) {
    node.report('rich-text.align', `align is ${listOf(ALIGNMENTS, 'or')}, not ${quote(text)}`);
  }
  return text ?? '';
}

/**
 * What is wrong with the address of a link, image or video; undefined where nothing is. The author
 * of a flow must not be able to run scripts in the pages that show it (F2).
 */
function addressProblem(type: ElementType, url: string): string | undefined {
  const allowed = SCHEMES[type];
  const scheme = schemeOf(url);
  if (!allowed || scheme === undefined || allowed.includes(scheme)) return undefined;
  return `the address of a ${type} is relative or begins with ${listOf(allowed, 'or')}, not with ${scheme}:`;
}

/** As browsers read it, who skip blanks and control characters. */
function schemeOf(url: string): string | undefined {
  const seen = url.replace(/[\p{Cc}\s]/gu, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(seen)?.[1]?.toLowerCase();
}

function readChildren(
  node: FileNode,
  children: FileNode | undefined,
  type: ElementType,
  level: number,
): RichTextNode[] {
  const isVoid = type === 'image' || type === 'video';
  if (!children && isVoid) return [{ text: '' }];
  if (!children)
    node.reportMissing('children', `${type} needs children: a list of rich text nodes`);
  if (children && !children.isList())
    children.report(
      'rich-text.children',
      `children is a list of nodes, not ${children.describe()}`,
    );
  return (children?.elements() ?? []).flatMap((child) => {
    const read = readNode(child, level + 1);
    if (read && !fits(read, type))
      child.report(
        'rich-text.children',
        `${type} holds only ${isVoid ? 'text' : 'list-item nodes'}`,
      );
    return read ?? [];
  });
}

/** Lists hold list items, images and videos an empty text. */
function fits(child: RichTextNode, parent: ElementType): boolean {
  if (parent === 'bulleted-list' || parent === 'numbered-list')
    return 'type' in child && child.type === 'list-item';
  if (parent === 'image' || parent === 'video') return !('type' in child);
  return true;
}
