import type { Editing } from '../draft/editing.js';
import { put, remove } from '@waymark/domain/flow-files/text';
import { AddName } from './add-name.js';
import { TargetsField } from './targets-field.js';

/** As the check of a custom block has it (S3). */
export const PATH_NAME = /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,127}$/;

/** The ways out of a block by their names. */
export function PathsForm({
  editing,
  block,
  type,
}: {
  editing: Editing;
  block: string;
  type: string;
}) {
  const place = ['blocks', block, 'paths'];
  const written = editing.source.value.keys(place);
  const names = new Set(written.flatMap((key) => key.split(',').map((name) => name.trim())));
  const missing = (editing.vocabulary.paths[type] ?? []).filter((name) => !names.has(name));
  return (
    <section class="stack" aria-label="Paths">
      <h3>Paths</h3>
      {written.map((name) => (
        <div class="row own-field" key={name}>
          <div class="grow">
            <TargetsField editing={editing} place={[...place, name]} label={name} />
          </div>
          {type === 'custom' && (
            <button
              type="button"
              class="quiet tight"
              aria-label={`Remove path ${name}`}
              onClick={() => editing.change(remove(editing.text.peek(), [...place, name]))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      {missing.map((name) => (
        <TargetsField key={name} editing={editing} place={[...place, name]} label={name} />
      ))}
      {type === 'custom' && (
        <AddName
          what="path"
          allowed={PATH_NAME}
          onAdd={(name) => editing.change(put(editing.text.peek(), [...place, name], 'finish'))}
        />
      )}
    </section>
  );
}
