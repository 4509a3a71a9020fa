import { HIGHEST_SHARE } from '@waymark/domain/engine';
import { put, remove } from '@waymark/domain/flow-files/text';
import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';
import { AddName } from './add-name.js';
import { PATH_NAME } from './paths-form.js';
import { TargetsField } from './targets-field.js';

/** The ways of a split: how many go along each, and where it leads (K2). */
export function WaysForm({ editing, block }: { editing: Editing; block: string }) {
  const place = ['blocks', block, 'paths'];
  const names = editing.source.value.keys(place);
  const shares = names.map((name) => Number(editing.source.value.value([...place, name, 'share'])));
  const all = shares.reduce((sum, share) => sum + (share || 0), 0);
  return (
    <section class="stack" aria-label="Ways">
      <h3>Ways</h3>
      {names.map((name, index) => (
        <div class="row own-field" key={name} data-place={placeName([...place, name])}>
          <div class="grow stack close">
            <Share
              label={`${name}: share`}
              share={shares[index]!}
              all={all}
              onChange={(share) =>
                editing.change(
                  put(editing.text.peek(), [...place, name, 'share'], share),
                  `${block} ${name}`,
                )
              }
            />
            <TargetsField editing={editing} place={[...place, name, 'to']} label={name} />
          </div>
          {names.length > 2 && (
            <button
              type="button"
              class="quiet tight"
              aria-label={`Remove way ${name}`}
              onClick={() => editing.change(remove(editing.text.peek(), [...place, name]))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      <AddName
        what="way"
        allowed={PATH_NAME}
        onAdd={(name) =>
          editing.change(put(editing.text.peek(), [...place, name], '{ share: 50, to: finish }'))
        }
      />
    </section>
  );
}

interface ShareProps {
  label: string;
  share: number;
  all: number;
  onChange: (share: string) => void;
}

/** A whole number, with what it is of all shares. */
function Share({ label, share, all, onChange }: ShareProps) {
  const change = ({ value, validity }: HTMLInputElement): void => {
    if (value !== '' && validity.valid) onChange(value);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={0}
        max={HIGHEST_SHARE}
        step={1}
        required
        value={share}
        onInput={({ currentTarget }) => change(currentTarget)}
      />
      {all > 0 && share >= 0 && (
        <span class="faint small">{Math.round((share / all) * 1_000) / 10} % of all</span>
      )}
    </label>
  );
}
