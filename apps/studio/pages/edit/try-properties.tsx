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
        <div class="row own-field" key={at}>
          <input
            class="grow"
            aria-label="Property"
            list={names}
            autocomplete="off"
            value={name}
            onChange={({ currentTarget }) => change(at, { name: currentTarget.value.trim() })}
          />
          <input
            class="grow"
            aria-label="Value"
            placeholder="pro, 3, true"
            autocomplete="off"
            value={value}
            onChange={({ currentTarget }) => change(at, { value: currentTarget.value })}
          />
          <button
            type="button"
            class="quiet tight"
            aria-label={`Remove property ${at + 1}`}
            onClick={() =>
              (properties.value = properties.peek().filter((_, index) => index !== at))
            }
          >
            ✕
          </button>
        </div>
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
