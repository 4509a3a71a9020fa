import { createElement, Fragment, type ReactNode } from 'react';
import { type RichText as Nodes, type RichTextNode, safeAddress } from '../index.js';

const TAGS: Readonly<Record<string, string>> = {
  'heading-one': 'h1',
  'heading-two': 'h2',
  'heading-three': 'h3',
  paragraph: 'p',
  'bulleted-list': 'ul',
  'numbered-list': 'ol',
  'list-item': 'li',
  link: 'a',
  image: 'img',
  video: 'video',
};
const MARKS = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['code', 'code'],
] as const;

/**
 * Rich text as elements without classes. Links, images and videos lead to web, mail and telephone
 * only, or are left out.
 */
export const RichText = ({
  value,
}: {
  readonly value: Nodes | string | null | undefined;
}): ReactNode =>
  Array.isArray(value) ? render(value as Nodes) : typeof value === 'string' ? value : null;

const render = (nodes: Nodes): ReactNode =>
  nodes.map((node, key) => createElement(Fragment, { key }, renderNode(node)));

function renderNode(node: RichTextNode): ReactNode {
  if ('text' in node)
    return MARKS.reduce<ReactNode>(
      (inner, [mark, tag]) => (node[mark] ? createElement(tag, null, inner) : inner),
      node.text,
    );
  const { type, url, align, width, height, altText } = node;
  const tag = (Object.hasOwn(TAGS, type) && TAGS[type]) || 'span';
  const style = align ? { textAlign: align } : undefined;
  const address = safeAddress(url);
  if (tag === 'a') return createElement(tag, { href: address, style }, render(node.children));
  if (tag === 'img')
    return address && createElement(tag, { src: address, alt: altText ?? '', width, height });
  if (tag === 'video')
    return address && createElement(tag, { src: address, controls: true, width, height });
  return createElement(tag, { style }, render(node.children));
}
