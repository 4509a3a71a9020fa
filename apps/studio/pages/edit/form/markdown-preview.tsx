import { RichText } from '../../flow/rich-text.js';
import type { Editing } from '../draft/editing.js';
import type { Place } from '../text/flow-text.js';

/** How a text is read by users, where that is more than the very words that are written, as the server has read it last. */
export function MarkdownPreview({ editing, place }: { editing: Editing; place: Place }) {
  const { shown = [], left = 0 } = editing.checked.value?.previews ?? {};
  const [, block, ...below] = place;
  const item = below[0] === 'items' ? below[1] : undefined;
  const preview = shown.find((one) => one.block === block && one.item === item && one.field === place.at(-1));
  if (preview)
    return (
      <div class="reading" role="group" aria-label="As users read it">
        <RichText nodes={preview.nodes} />
      </div>
    );
  if (left === 0 || !editing.source.value.value(place)) return null;
  return <p class="faint small">This flow has too much formatted text to show each as users read it.</p>;
}
