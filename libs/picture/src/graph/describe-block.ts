import { type Block, type Field, formatDuration, type Item, titleOf } from '@waymark/domain/engine';
import { conditionWords } from '@waymark/domain/targeting/rows';

/** The title of a box in large letters, and the details below in small ones. */
export interface Caption {
  label: string;
  detail: string;
}

/**
 * The title that users read before the identifier (T16); without one, the identifier before what
 * the block does.
 */
export function captionOf(block: Block | Item): Caption {
  const title = titleOf(block);
  const caption =
    title === undefined
      ? { label: block.id, detail: describeBlock(block) }
      : { label: title, detail: block.id };
  if (!('done' in block) || !block.done) return caption;
  // Users leave it without a click (Z1).
  return { ...caption, detail: [caption.detail, 'done by itself'].filter(Boolean).join(', ') };
}

/**
 * What people know a block without a title by: its first text, its condition, its address, what it
 * triggers.
 */
function describeBlock(block: Block | Item): string {
  switch (block.type) {
    case 'branch':
      return describeCondition(block.when);
    case 'split':
      return block.by === 'group' ? 'the same way for a whole group' : 'the same way every time';
    case 'gate':
      return 'waits for all that lead here';
    case 'delay':
      return `waits ${formatDuration(block.for)}`;
    case 'webhook':
      return block.url.replace(/^https?:\/\//i, '');
    case 'flow-trigger':
      return `${block.intent} ${block.flow}${block.version === 'latest' ? '' : ` (version ${block.version})`}`;
    default:
      return firstText(block.fields);
  }
}

/** In the words of the editor (T15), or as it is written where that has none. */
export const describeCondition = (when: string): string => conditionWords(when) ?? when;

function firstText(fields: readonly Field[]): string {
  // Labels have defaults, so they say nothing of this block.
  const text = fields.find(
    ({ sid, value }) => typeof value === 'string' && !sid.endsWith('-label'),
  );
  return typeof text?.value === 'string' ? text.value : '';
}
