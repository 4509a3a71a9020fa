import { RichText } from '../../flow/rich-text.js';
import type { Editing } from '../draft/editing.js';
import type { Place } from '../text/flow-text.js';

type Node = Readonly<Record<string, unknown>>;

/** How a text is read by users, where that is more than the very words that are written. */
export function MarkdownPreview({ editing, place }: { editing: Editing; place: Place }) {
  const value = valueAt(editing, place);
  if (!Array.isArray(value) || !(value as Node[]).some(isFormatted)) return null;
  return (
    <div class="reading" role="group" aria-label="As users read it">
      <RichText nodes={value} />
    </div>
  );
}

/** The field as the server has read it last. */
function valueAt({ checked }: Editing, place: Place): unknown {
  const [, id, ...below] = place;
  const block = checked.value?.blocks?.find((one) => one.id === id);
  const isItem = below[0] === 'items' && block !== undefined && 'items' in block;
  const holder = isItem ? block.items.find((one) => one.id === below[1]) : block;
  return holder && 'fields' in holder ? holder.fields.find(({ sid }) => sid === place.at(-1))?.value : undefined;
}

/** More than paragraphs of plain words. */
function isFormatted({ type, children, text, ...marks }: Node): boolean {
  if (typeof text === 'string') return Object.values(marks).some(Boolean);
  return type !== 'paragraph' || (Array.isArray(children) && (children as Node[]).some(isFormatted));
}
