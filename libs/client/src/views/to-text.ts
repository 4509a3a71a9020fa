import type { RichText, RichTextNode } from '../shapes/view.js';

const LINES = /^(heading|paragraph|list-item)/;

/** Rich text as plain text, a line for each paragraph, heading and item. Anything else gives an empty text. */
export const toText = (value: RichText | string | null | undefined): string =>
  typeof value === 'string' ? value : walk(Array.isArray(value) ? (value as RichText) : []).trim();

const walk = (nodes: readonly RichTextNode[]): string =>
  nodes
    .map((node) =>
      'text' in node ? node.text : walk(node.children) + (LINES.test(node.type) ? '\n' : ''),
    )
    .join('');
