import { useId } from 'preact/hooks';
import type { Json } from '@waymark/domain/targeting';
import type { Editing, TriedProperty } from './draft/editing.js';

/** Numbers, true, false, null, lists and objects as JSON has them; everything else is a text (T15). */
export function readValue(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** Properties on top of those of the user, a row for each. They count when a field is left. */
export function TryProperties({ editing }: { editing: Editing }) {
  const { properties } = editing.walk;
  const rows = properties.value;
  const names = useId();
  // Reads the current rows: two fields may change before the page renders again.
  const change = (at: number, next: Partial<TriedProperty>): void => {
    properties.value = properties
      .peek()
      .map((row, index) => (index === at ? { ...row, ...next } : row));
  };
  return (
    <fieldset class="field">
      <legend class="field-label">And with these properties</legend>
      <datalist id={names}>
        {editing.names.value.user.map(([name]) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.map(({ name, value }, at) => (
        <PropertyRow
          key={at}
          number={at + 1}
          {...{ name, value, names }}
          onChange={(next) => change(at, next)}
          onRemove={() => (properties.value = properties.peek().filter((_, index) => index !== at))}
        />
      ))}
      <div>
        <button
          type="button"
          class="tight"
          onClick={() => {
            editing.loadNames();
            properties.value = [...properties.peek(), { name: '', value: '' }];
          }}
        >
          + Property
        </button>
      </div>
    </fieldset>
  );
}

interface PropertyRowProps extends TriedProperty {
  number: number;
  /** The list of names that are offered. */
  names: string;
  onChange: (next: Partial<TriedProperty>) => void;
  onRemove: () => void;
}

function PropertyRow({ number, name, value, names, onChange, onRemove }: PropertyRowProps) {
  return (
    <div class="row own-field">
      <input
        class="grow"
        aria-label="Property"
        list={names}
        autocomplete="off"
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value.trim() })}
      />
      <input
        class="grow"
        aria-label="Value"
        placeholder="pro, 3, true"
        autocomplete="off"
        value={value}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      <button
        type="button"
        class="quiet tight"
        aria-label={`Remove property ${number}`}
        onClick={onRemove}
      >
        ✕
      </button>
    </div>
  );
}
