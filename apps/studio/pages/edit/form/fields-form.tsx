import { countText } from '../../controls/time.js';
import type { Editing } from '../draft/editing.js';
import { put, remove, textValue } from '../text/edits.js';
import type { Place } from '../text/flow-text.js';
import { AddName } from './add-name.js';
import { MarkdownPreview } from './markdown-preview.js';
import { TextField } from './text-field.js';

interface FieldsFormProps {
  editing: Editing;
  /** Of the block or item. */
  place: Place;
  type: string;
}

const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  body: 'Text (Markdown)',
  'complete-label': 'Label of the main button',
  'dismiss-label': 'Label of the way out',
  'next-label': 'Label of the next button',
  'back-label': 'Label of the back button',
  'dismiss-all-label': 'Label of the way out',
};

/** More than anybody fills in, and fewer than hold up a browser. */
const MOST_OWN = 100;

const FIELD_SID = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** The fields that blocks of the type always have, then those that this one has besides. */
export function FieldsForm({ editing, place, type }: FieldsFormProps) {
  const standard = (editing.vocabulary.fields[type] ?? []).filter(({ sid }) => sid !== 'display-index');
  const known = standard.map(({ sid }) => sid);
  const own = editing.source.value.keys([...place, 'fields']).filter((sid) => !known.includes(sid));
  return (
    <section class="stack" aria-label="Fields">
      {standard.map((field) => (
        <FieldInput
          key={field.sid}
          editing={editing}
          place={[...place, 'fields', field.sid]}
          label={LABELS[field.sid] ?? field.sid}
          placeholder={field.default}
          lines={field.type === 'richText'}
        />
      ))}
      {own.slice(0, MOST_OWN).map((sid) => (
        <div class="row own-field" key={sid}>
          <div class="grow">
            <FieldInput editing={editing} place={[...place, 'fields', sid]} label={sid} isNeeded />
          </div>
          <button
            type="button"
            class="quiet tight"
            aria-label={`Remove field ${sid}`}
            onClick={() => editing.change(remove(editing.text.peek(), [...place, 'fields', sid]))}
          >
            ✕
          </button>
        </div>
      ))}
      {own.length > MOST_OWN && (
        <p class="note">{countText(own.length - MOST_OWN)} more fields are too many for a form; they are under YAML.</p>
      )}
      <AddName
        what="field"
        allowed={FIELD_SID}
        onAdd={(sid) => editing.change(put(editing.text.peek(), [...place, 'fields', sid], textValue('')))}
      />
    </section>
  );
}

type FieldInputProps = Parameters<typeof TextField>[0];

/** What is written long or as nodes has no single value: it is changed in the text. */
function FieldInput(props: FieldInputProps) {
  const { editing, place, label } = props;
  const node = editing.source.value.at(place);
  const isWrittenLong = node !== undefined && node !== null && editing.source.value.value(place) === undefined && 'items' in node;
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
