import type { Definition, Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { RecentlyUsed } from '../../targeting/values/recently-used.js';
import {
  MARKS,
  MAX_ELEMENT_LEVELS,
  type Mark,
  type RichTextElement,
  type RichTextNode,
  type RichTextText,
} from './rich-text-node.js';

type Definitions = ReadonlyMap<string, Definition>;
type Marks = readonly Mark[];

const HEADINGS = ['heading-one', 'heading-two', 'heading-three'] as const;

/**
 * Enough for any component, and what can be read soon: some texts take time by the square of their
 * length.
 */
export const MAX_MARKDOWN_LENGTH = 5_000;

/**
 * A line that opens more lists and quotes than rich text may nest, and is no rule: such lines take
 * longest to read.
 */
const DEEP_LINE = new RegExp(
  String.raw`^(?![ \t]*([-*])(?:[ \t]*\1)+[ \t]*$)(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){${MAX_ELEMENT_LEVELS + 1}}`,
  'm',
);

/** The editor parses all texts of a flow on every change (T9). Weighed by their characters. */
const READ = new RecentlyUsed<RichTextNode[]>(1_000_000);

/**
 * CommonMark as rich text nodes (F2). HTML stays the text it is, and what the nodes cannot say
 * becomes the nearest that they can. Undefined when it nests deeper than rich text may. Texts
 * longer than MAX_MARKDOWN_LENGTH should not come here. The nodes are cached and shared: callers
 * must not change them.
 */
export function parseMarkdown(markdown: string): RichTextNode[] | undefined {
  const known = READ.find(markdown);
  const nodes = known ?? readNodes(markdown);
  if (nodes && !known) READ.set(markdown, nodes, markdown.length + 1);
  return nodes;
}

function readNodes(markdown: string): RichTextNode[] | undefined {
  if (DEEP_LINE.test(markdown)) return undefined;
  const root = fromMarkdown(markdown);
  const nodes = collectNodes(root);
  if (!nodes) return undefined;
  const definitions = nodes.filter((node) => node.type === 'definition').reverse();
  const byIdentifier = new Map(
    definitions.map((definition) => [definition.identifier, definition]),
  );
  return root.children.flatMap((block) => blockNodes(block, byIdentifier));
}

/** Every node, found without recursion; undefined when some lie too deep to be walked with it. */
function collectNodes(root: Nodes): Nodes[] | undefined {
  const nodes: Nodes[] = [];
  let level: Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_ELEMENT_LEVELS) return undefined;
    nodes.push(...level);
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  return nodes;
}

function blockNodes(block: RootContent, definitions: Definitions): RichTextNode[] {
  switch (block.type) {
    case 'paragraph':
      return paragraphNodes(block, definitions);
    case 'heading':
      return [
        element(HEADINGS[Math.min(block.depth, 3) - 1]!, inline(block.children, definitions)),
      ];
    case 'list': {
      const type = block.ordered ? 'numbered-list' : 'bulleted-list';
      return [
        element(
          type,
          block.children.map((item) => element('list-item', itemNodes(item.children, definitions))),
        ),
      ];
    }
    case 'blockquote':
      return block.children.flatMap((child) => blockNodes(child, definitions));
    case 'code':
      return [element('paragraph', [{ text: block.value, code: true }])];
    case 'thematicBreak':
      return [element('paragraph', [{ text: '---' }])];
    case 'html':
      return [element('paragraph', [{ text: block.value }])];
    default:
      return [];
  }
}

/** A lone image stands by itself, as the nodes know images as blocks. */
function paragraphNodes(paragraph: Paragraph, definitions: Definitions): RichTextNode[] {
  const children = inline(paragraph.children, definitions);
  const [only] = children;
  if (children.length === 1 && only && 'type' in only && only.type === 'image') return [only];
  return [element('paragraph', children)];
}

/** The one paragraph of a list item needs no element of its own. */
function itemNodes(blocks: RootContent[], definitions: Definitions): RichTextNode[] {
  const paragraphs = blocks.filter((block) => block.type === 'paragraph');
  return blocks.flatMap((block) =>
    block.type === 'paragraph' && paragraphs.length === 1
      ? inline(block.children, definitions)
      : blockNodes(block, definitions),
  );
}

function inline(
  content: PhrasingContent[],
  definitions: Definitions,
  marks: Marks = [],
): RichTextNode[] {
  return joinTexts(content.flatMap((node) => inlineNodes(node, definitions, marks)));
}

function inlineNodes(
  node: PhrasingContent,
  definitions: Definitions,
  marks: Marks,
): RichTextNode[] {
  switch (node.type) {
    case 'text':
      return [text(node.value.replaceAll('\n', ' '), marks)];
    case 'html':
      return [text(node.value, marks)];
    case 'inlineCode':
      return [text(node.value, [...marks, 'code'])];
    case 'break':
      return [text('\n', marks)];
    case 'strong':
      return inline(node.children, definitions, [...marks, 'bold']);
    case 'emphasis':
      return inline(node.children, definitions, [...marks, 'italic']);
    case 'link':
      return [element('link', inline(node.children, definitions, marks), { url: node.url })];
    case 'linkReference':
      return [
        element('link', inline(node.children, definitions, marks), {
          url: definitions.get(node.identifier)?.url ?? '',
        }),
      ];
    case 'image':
      return [image(node.url, node.alt)];
    case 'imageReference':
      return [image(definitions.get(node.identifier)?.url ?? '', node.alt)];
    default:
      return [];
  }
}

function image(url: string, altText: string | null | undefined): RichTextElement {
  return element('image', [], { url, ...(altText && { altText }) });
}

/** An element is never without children: editors and renderers expect a text at least. */
function element(
  type: RichTextElement['type'],
  children: RichTextNode[],
  attributes: Partial<RichTextElement> = {},
): RichTextElement {
  return { type, ...attributes, children: children.length > 0 ? children : [{ text: '' }] };
}

function text(value: string, marks: Marks): RichTextText {
  return {
    text: value,
    ...Object.fromEntries(MARKS.filter((mark) => marks.includes(mark)).map((mark) => [mark, true])),
  };
}

/** Neighbours with the same marks are one text. */
function joinTexts(nodes: RichTextNode[]): RichTextNode[] {
  const joined: RichTextNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const hasSameMarks =
      last && 'text' in last && 'text' in node && MARKS.every((mark) => last[mark] === node[mark]);
    if (hasSameMarks) joined[joined.length - 1] = { ...last, text: last.text + node.text };
    else joined.push(node);
  }
  return joined;
}
