import type { RichText, RichTextNode } from '../shapes/view.js';

const LINES = /^(heading|paragraph|list-item)/;

/**
 * Rich text as plain text, a line for each paragraph, heading and item. Anything else gives an
 * empty text.
 */
export const toText = (value: RichText | string | null | undefined): string =>
  typeof value === 'string' ? value : walk(Array.isArray(value) ? (value as RichText) : []).trim();

const walk = (nodes: readonly RichTextNode[]): string =>
  nodes
    .map((node) =>
      'text' in node ? node.text : walk(node.children) + (LINES.test(node.type) ? '\n' : ''),
    )
    .join('');

/**
 * The address as it is where it leads to the web, to mail or to a telephone; otherwise undefined.
 * It is read as a browser does, so that blanks, line breaks and letter case hide nothing.
 */
export function safeAddress(address: unknown = ''): string | undefined {
  try {
    const { protocol } = new URL(address as string, 'https://page');
    return /^(https?|mailto|tel):$/.test(protocol) ? (address as string) : undefined;
  } catch {
    return undefined;
  }
}
