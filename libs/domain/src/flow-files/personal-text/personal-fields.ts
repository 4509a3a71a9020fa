import type { Field, TextPart } from '../../engine/index.js';
import type { Json } from '../../targeting/json/json.js';
import { ANCHOR } from '../keys/standard-fields.js';
import type { RichTextNode } from '../rich-text/rich-text-node.js';
import type { FileNode } from '../source/file-node.js';
import { escapeText, isAddress, recognise } from './recognise.js';

/** A text node as it is stored: what it shows of its user is in its parts. */
type StoredNode = RichTextNode & { readonly parts?: readonly TextPart[] };

/** A field as it was read, with what its texts show of the user (Z5). */
export function withParts(node: FileNode, field: Field): Field {
  const { sid, type, value } = field;
  const read = (text: string) => recogniseIn(node, text);
  if (type === 'richText' && Array.isArray(value))
    return {
      sid,
      type,
      value: mapTexts(value as unknown as RichTextNode[], read) as unknown as Json,
    };
  if (type !== 'string' || typeof value !== 'string' || sid === ANCHOR) return field;
  if (isAddress(value)) {
    if (recognise(value).parts)
      node.warnKey(
        'text.address',
        `nothing of a user is put into an address: field ${sid} stays as it is written`,
      );
    return field;
  }
  const { text, parts } = read(value);
  return { sid, type, value: text, ...(parts && { parts }) };
}

function recogniseIn(node: FileNode, source: string) {
  const { isMisread, ...read } = recognise(source);
  if (isMisread)
    node.warnKey(
      'text.unknown-property',
      'a text shows ${user.properties.NAME}, or ${user.properties.NAME | WORD} with a word for who has none; other text that begins with ${user stays as it is ($${user, if that is meant)',
    );
  return read;
}

/** The nodes themselves where nothing changes in them: others share them. */
function mapTexts(
  nodes: readonly RichTextNode[],
  map: (text: string) => { readonly text: string; readonly parts?: TextPart[] },
): readonly RichTextNode[] {
  let isSame = true;
  const mapped = nodes.map((node): RichTextNode => {
    if ('type' in node) {
      const children = mapTexts(node.children, map);
      isSame &&= children === node.children;
      return children === node.children ? node : { ...node, children: children as RichTextNode[] };
    }
    const { text, parts } = map(node.text);
    if (text === node.text && !parts) return node;
    isSame = false;
    return { ...node, text, ...(parts && { parts }) };
  });
  return isSame ? nodes : mapped;
}

/** A field as a flow file has it: read again, it is the same. */
export function asWritten(field: Field): Field {
  const { sid, type, value } = field;
  if (type === 'richText' && Array.isArray(value))
    return {
      sid,
      type,
      value: (value as unknown as StoredNode[]).map(nodeAsWritten) as unknown as Json,
    };
  const isLiteral = field.parts === undefined && type === 'string' && sid !== ANCHOR;
  if (!isLiteral || typeof value !== 'string' || isAddress(value)) return { sid, type, value };
  return { sid, type, value: escapeText(value) };
}

function nodeAsWritten({ parts, ...node }: StoredNode): RichTextNode {
  if ('type' in node) return { ...node, children: node.children.map(nodeAsWritten) };
  return parts ? node : { ...node, text: escapeText(node.text) };
}
