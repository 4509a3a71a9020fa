import type { Editing } from '../draft/editing.js';
import { BlockForm } from './block-form.js';
import { FlowForm } from './flow-form.js';
import { LanguageChoice, translatedTag } from './language-choice.js';
import { TranslationForm } from './translation-form.js';

/**
 * The block that is chosen, or the flow itself; in another language, the texts of it beside their
 * originals.
 */
export function FormPane({ editing }: { editing: Editing }) {
  const { source } = editing;
  if (!source.value.isSound)
    return (
      <p class="note warn">
        This text is not valid YAML at the moment, so there is no form for it. Fix it under YAML, or
        undo.
      </p>
    );
  const tag = translatedTag(editing);
  return (
    <div class="stack">
      <LanguageChoice editing={editing} />
      {tag === undefined ? (
        <OwnForm editing={editing} />
      ) : (
        <TranslationForm key={tag} editing={editing} tag={tag} />
      )}
    </div>
  );
}

function OwnForm({ editing }: { editing: Editing }) {
  const block = editing.chosen.value;
  if (block !== undefined && editing.source.value.keys(['blocks']).includes(block))
    return <BlockForm key={block} editing={editing} block={block} />;
  return <FlowForm editing={editing} />;
}
