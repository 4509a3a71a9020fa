import type { Field, FlowDraft } from '@waymark/domain/engine';
import type { Preview, Previews } from './edit-views.js';

/** As JSON. Flows that people write have a small part of it. */
const MOST_LETTERS = 400_000;

type Node = Readonly<Record<string, unknown>>;

/** The formatted texts of a draft as users read them, and how many more there are than a page is sent. */
export function previewsOf({ blocks }: Pick<FlowDraft, 'blocks'>): Previews {
  const all = blocks.flatMap((block) => [
    ...('fields' in block ? formatted(block.fields, { block: block.id }) : []),
    ...('items' in block ? block.items.flatMap(({ id, fields }) => formatted(fields, { block: block.id, item: id })) : []),
  ]);
  let room = MOST_LETTERS;
  const shown = all.filter((preview) => room > 0 && (room -= JSON.stringify(preview).length) >= 0);
  return { shown, left: all.length - shown.length };
}

function formatted(fields: readonly Field[], place: Pick<Preview, 'block' | 'item'>): Preview[] {
  return fields.flatMap(({ sid, value }) =>
    Array.isArray(value) && (value as Node[]).some(isFormatted) ? [{ ...place, field: sid, nodes: value as Node[] }] : [],
  );
}

/** More than paragraphs of plain words, which are read as they are written. */
function isFormatted({ type, children, text, ...marks }: Node): boolean {
  if (typeof text === 'string') return Object.values(marks).some(Boolean);
  return type !== 'paragraph' || (Array.isArray(children) && (children as Node[]).some(isFormatted));
}
