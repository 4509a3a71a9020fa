import type { BlockContent, List, ListItem, PhrasingContent } from 'mdast';
import { toMarkdown } from 'mdast-util-to-markdown';
import { isSame, type Json } from '../../targeting/json/json.js';
import { MAX_MARKDOWN_LENGTH, parseMarkdown } from './markdown.js';
import type { RichTextElement, RichTextNode, RichTextText } from './rich-text-node.js';

const DEPTHS = { 'heading-one': 1, 'heading-two': 2, 'heading-three': 3 } as const;

/**
 * Markdown that is read as exactly these nodes; undefined where there is none (underlined text, for
 * instance).
 */
export function findMarkdown(nodes: readonly RichTextNode[]): string | undefined {
  const children = nodes.map(blockOf);
  const markdown = toMarkdown(
    { type: 'root', children },
    { bullet: '-', listItemIndent: 'one', rule: '-' },
  ).trimEnd();
  if (markdown.length > MAX_MARKDOWN_LENGTH) return undefined;
  return isSame((parseMarkdown(markdown) ?? null) as Json, nodes as unknown as Json)
    ? markdown
    : undefined;
}

/** The nearest that Markdown has; the caller checks that it says the same. */
function blockOf(node: RichTextNode): BlockContent {
  if (!('type' in node)) return { type: 'paragraph', children: inlineOf(node) };
  const { type, children } = node;
  if (type === 'bulleted-list' || type === 'numbered-list') return listOf(node);
  if (type in DEPTHS)
    return {
      type: 'heading',
      depth: DEPTHS[type as keyof typeof DEPTHS],
      children: children.flatMap(inlineOf),
    };
  const [only] = children;
  if (type === 'paragraph' && children.length === 1 && isLines(only))
    return { type: 'code', value: only.text };
  return {
    type: 'paragraph',
    children: type === 'image' ? inlineOf(node) : children.flatMap(inlineOf),
  };
}

function listOf({ type, children }: RichTextElement): List {
  return {
    type: 'list',
    ordered: type === 'numbered-list',
    spread: false,
    children: children.map(itemOf),
  };
}

function itemOf(node: RichTextNode): ListItem {
  const children = 'type' in node ? node.children : [node];
  const firstBlock = children.findIndex((child) => 'type' in child && child.type.endsWith('list'));
  const [words, blocks] =
    firstBlock < 0 ? [children, []] : [children.slice(0, firstBlock), children.slice(firstBlock)];
  const paragraph: BlockContent[] =
    words.length > 0 ? [{ type: 'paragraph', children: words.flatMap(inlineOf) }] : [];
  return { type: 'listItem', spread: false, children: [...paragraph, ...blocks.map(blockOf)] };
}

function inlineOf(node: RichTextNode): PhrasingContent[] {
  if (!('type' in node)) return marked(node);
  const { type, url = '', altText } = node;
  if (type === 'image') return [{ type: 'image', url, alt: altText ?? null }];
  if (type === 'link') return [{ type: 'link', url, children: node.children.flatMap(inlineOf) }];
  return node.children.flatMap(inlineOf);
}

function marked({ text, bold, italic, code }: RichTextText): PhrasingContent[] {
  const lines = text.split('\n').flatMap((line, index): PhrasingContent[] => {
    const words: PhrasingContent = code
      ? { type: 'inlineCode', value: line }
      : { type: 'text', value: line };
    return index === 0 ? [words] : [{ type: 'break' }, words];
  });
  const slanted: PhrasingContent[] = italic ? [{ type: 'emphasis', children: lines }] : lines;
  return bold ? [{ type: 'strong', children: slanted }] : slanted;
}

function isLines(node: RichTextNode | undefined): node is RichTextText {
  return node !== undefined && !('type' in node) && node.code === true && node.text.includes('\n');
}
