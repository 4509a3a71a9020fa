import { useState } from 'preact/hooks';
import type { Editing } from '../editing.js';
import { put, remove } from '../text/edits.js';
import { TargetsField } from './targets-field.js';

/** The ways out of a block by their names. */
export function PathsForm({ editing, block, type }: { editing: Editing; block: string; type: string }) {
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
      {type === 'custom' && <NewPath onAdd={(name) => editing.change(put(editing.text.peek(), [...place, name], 'finish'))} />}
    </section>
  );
}

function NewPath({ onAdd }: { onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  const isAllowed = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/.test(name);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAllowed) return;
        onAdd(name);
        setName('');
      }}
    >
      <label class="grow">
        <span class="unseen">Name of another path</span>
        <input
          value={name}
          placeholder="another path"
          spellcheck={false}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="tight" disabled={!isAllowed}>
        Add path
      </button>
    </form>
  );
}
