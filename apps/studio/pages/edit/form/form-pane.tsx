import type { Editing } from '../draft/editing.js';
import { BlockForm } from './block-form.js';
import { FlowForm } from './flow-form.js';

/** The block that is chosen, or the flow itself. */
export function FormPane({ editing }: { editing: Editing }) {
  const { source, chosen } = editing;
  if (!source.value.isSound)
    return (
      <p class="note warn">
        This text is not valid YAML at the moment, so there is no form for it. Put it right under YAML, or undo.
      </p>
    );
  const block = chosen.value;
  if (block !== undefined && source.value.keys(['blocks']).includes(block))
    return <BlockForm key={block} editing={editing} block={block} />;
  return <FlowForm editing={editing} />;
}
