import { type RichTextNode, safeAddress } from '@waymark/client';
import { make } from './element.js';
import { dom } from '../page/dom.js';

/** Headings begin below the title of the block. */
const TAGS: Readonly<Record<string, keyof HTMLElementTagNameMap>> = {
  'heading-one': 'h3',
  'heading-two': 'h4',
  'heading-three': 'h5',
  paragraph: 'p',
  'bulleted-list': 'ul',
  'numbered-list': 'ol',
  'list-item': 'li',
};
const MARKS = [
  ['code', 'code'],
  ['underline', 'u'],
  ['italic', 'em'],
  ['bold', 'strong'],
] as const;

/** The nodes of rich text; of a text the text; nothing for anything else (N7). */
export function drawRichText(value: unknown): (Node | string)[] {
  if (typeof value === 'string') return value === '' ? [] : [make('p', {}, value)];
  return Array.isArray(value) ? (value as RichTextNode[]).flatMap(drawNode) : [];
}

function drawNode(node: RichTextNode): (Node | string)[] {
  if (!node || typeof node !== 'object') return [];
  if (!('text' in node)) return drawElement(node);
  return [
    MARKS.reduce<Node | string>(
      (inner, [mark, tag]) => (node[mark] ? make(tag, {}, inner) : inner),
      `${node.text}`,
    ),
  ];
}

function drawElement(node: Exclude<RichTextNode, { text: string }>): Node[] {
  const { type, url, width, height, altText, align } = node;
  const src = url === undefined ? undefined : safeAddress(url);
  const size = { width, height };
  if (type === 'image') return src ? [make('img', { src, alt: altText ?? '', ...size })] : [];
  if (type === 'video')
    return src ? [make('video', { src, controls: true, preload: 'metadata', ...size })] : [];
  const children = Array.isArray(node.children) ? node.children.flatMap(drawNode) : [];
  if (type === 'link') return [make('a', src ? link(src) : {}, ...children)];
  const element = make((Object.hasOwn(TAGS, type) && TAGS[type]) || 'span', {}, ...children);
  if (align) element.style.textAlign = align;
  return [element];
}

/** Another origin gets a page of its own, which cannot reach back into this one. */
function link(address: string): Readonly<Record<string, unknown>> {
  const { origin, protocol } = new URL(address, dom.baseURI);
  const isElsewhere = protocol.startsWith('http') && origin !== location.origin;
  return { href: address, ...(isElsewhere && { target: '_blank', rel: 'noopener' }) };
}
