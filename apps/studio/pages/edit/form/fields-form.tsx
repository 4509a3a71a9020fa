import { type Place, put, remove, textValue } from '@waymark/domain/flow-files/text';
import { countText } from '../../controls/time.js';
import type { Editing } from '../draft/editing.js';
import { AddName } from './add-name.js';
import { removeTexts } from './blocks.js';
import { FIELD_LABELS } from './part-name.js';
import { TextField } from './text-field.js';
import { RichText } from '../../flow/rich-text.js';

interface FieldsFormProps {
  editing: Editing;
  /** Of the block or item. */
  place: Place;
  type: string;
}

/** More than anybody fills in, and fewer than hold up a browser. */
const MOST_OWN = 100;

const EXAMPLE = '${user.properties.name | there}';

const FIELD_SID = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** The fields that blocks of the type always have, then those that only this one has. */
export function FieldsForm({ editing, place, type }: FieldsFormProps) {
  const standard = (editing.vocabulary.fields[type] ?? []).filter(
    ({ sid }) => sid !== 'display-index',
  );
  const known = standard.map(({ sid }) => sid);
  const own = editing.source.value.keys([...place, 'fields']).filter((sid) => !known.includes(sid));
  return (
    <section class="stack fields" aria-label="Fields">
      {standard.map((field) => (
        <FieldInput
          key={field.sid}
          editing={editing}
          place={[...place, 'fields', field.sid]}
          label={FIELD_LABELS[field.sid] ?? field.sid}
          placeholder={field.default}
          lines={field.type === 'richText'}
        />
      ))}
      {standard.length > 0 && (
        <p class="faint small">
          Texts may show a property of the user: <code>{EXAMPLE}</code>
        </p>
      )}
      {own.slice(0, MOST_OWN).map((sid) => (
        <OwnField key={sid} editing={editing} place={place} sid={sid} />
      ))}
      {own.length > MOST_OWN && (
        <p class="note">
          {countText(own.length - MOST_OWN)} more fields are too many for a form; they are under
          YAML.
        </p>
      )}
      <AddName
        what="field"
        allowed={FIELD_SID}
        onAdd={(sid) =>
          editing.change(put(editing.text.peek(), [...place, 'fields', sid], textValue('')))
        }
      />
    </section>
  );
}

/** A field that only this block has. */
function OwnField({ editing, place, sid }: Omit<FieldsFormProps, 'type'> & { sid: string }) {
  const removeField = (): void => {
    const text = remove(editing.text.peek(), [...place, 'fields', sid]);
    editing.change(removeTexts(text, String(place.at(-1)), sid));
  };
  return (
    <div class="row own-field">
      <div class="grow">
        <FieldInput editing={editing} place={[...place, 'fields', sid]} label={sid} isNeeded />
      </div>
      <button
        type="button"
        class="quiet tight"
        aria-label={`Remove field ${sid}`}
        onClick={removeField}
      >
        ✕
      </button>
    </div>
  );
}

type FieldInputProps = Parameters<typeof TextField>[0];

/** What is written long or as nodes has no single value: it is changed in the text. */
function FieldInput(props: FieldInputProps) {
  const { editing, place, label } = props;
  const node = editing.source.value.at(place);
  const isWrittenLong =
    node !== undefined &&
    node !== null &&
    editing.source.value.value(place) === undefined &&
    'items' in node;
  if (!isWrittenLong)
    return (
      <div class="stack close">
        <TextField {...props} />
        {props.lines && <MarkdownPreview editing={editing} place={place} />}
      </div>
    );
  return (
    <div class="field">
      <span class="field-label">{label}</span>
      <p class="faint small">Written with nodes or a type of its own; change it under YAML.</p>
    </div>
  );
}

/**
 * How a text is read by users, where that is more than the very words that are written, as the
 * server has read it last.
 */
function MarkdownPreview({ editing, place }: { editing: Editing; place: Place }) {
  const { shown = [], left = 0 } = editing.checked.value?.previews ?? {};
  const [, block, ...below] = place;
  const item = below[0] === 'items' ? below[1] : undefined;
  const preview = shown.find(
    (one) => one.block === block && one.item === item && one.field === place.at(-1),
  );
  if (preview)
    return (
      <div class="reading" role="group" aria-label="As users read it">
        <RichText nodes={preview.nodes} />
      </div>
    );
  if (left === 0 || !editing.source.value.value(place)) return null;
  return (
    <p class="faint small">This flow has too much formatted text to show each as users read it.</p>
  );
}
