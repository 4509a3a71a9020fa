import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Json } from '@waymark/domain/targeting';
import type { Editing, Tried } from './draft/editing.js';

/**
 * Numbers, true, false, null, lists and objects as JSON has them; everything else is a text (T15).
 */
export function readValue(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/**
 * Properties on top of those of the user, and what the user did; it counts when a field is left.
 */
export function TryProperties({ editing }: { editing: Editing }) {
  const { walk, names } = editing;
  const onAdd = (): void => editing.loadNames();
  return (
    <>
      <TryRows
        rows={walk.properties}
        names={names.value.user.map(([name]) => String(name))}
        words={{ all: 'And with these properties', name: 'Property', value: 'Value' }}
        placeholder="pro, 3, true"
        onAdd={onAdd}
      />
      <TryRows
        rows={walk.events}
        names={names.value.events}
        words={{ all: 'And as if they had done this', name: 'Event', value: 'Times' }}
        placeholder="1"
        onAdd={onAdd}
      />
    </>
  );
}

interface TryRowsProps {
  rows: Signal<readonly Tried[]>;
  /** Names that are offered. */
  names: readonly string[];
  words: Words;
  placeholder: string;
  onAdd: () => void;
}

interface Words {
  all: string;
  name: string;
  value: string;
}

function TryRows({ rows, names, words, placeholder, onAdd }: TryRowsProps) {
  const list = useId();
  // Reads the current rows: two fields may change before the page renders again.
  const change = (at: number, next: Partial<Tried>): void => {
    rows.value = rows.peek().map((row, index) => (index === at ? { ...row, ...next } : row));
  };
  return (
    <fieldset class="field">
      <legend class="field-label">{words.all}</legend>
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.value.map((row, at) => (
        <TryRow
          key={at}
          number={at + 1}
          {...{ ...row, words, placeholder, list }}
          onChange={(next) => change(at, next)}
          onRemove={() => (rows.value = rows.peek().filter((_, index) => index !== at))}
        />
      ))}
      <div>
        <button
          type="button"
          class="tight"
          onClick={() => {
            onAdd();
            rows.value = [...rows.peek(), { name: '', value: '' }];
          }}
        >
          + {words.name}
        </button>
      </div>
    </fieldset>
  );
}

interface TryRowProps extends Tried, Pick<TryRowsProps, 'words' | 'placeholder'> {
  number: number;
  /** The list of names that are offered. */
  list: string;
  onChange: (next: Partial<Tried>) => void;
  onRemove: () => void;
}

function TryRow({
  number,
  name,
  value,
  words,
  placeholder,
  list,
  onChange,
  onRemove,
}: TryRowProps) {
  return (
    <div class="row own-field">
      <input
        class="grow"
        aria-label={words.name}
        list={list}
        autocomplete="off"
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value.trim() })}
      />
      <input
        class="grow"
        aria-label={words.value}
        placeholder={placeholder}
        autocomplete="off"
        value={value}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      <button
        type="button"
        class="quiet tight"
        aria-label={`Remove ${words.name.toLowerCase()} ${number}`}
        onClick={onRemove}
      >
        ✕
      </button>
    </div>
  );
}
