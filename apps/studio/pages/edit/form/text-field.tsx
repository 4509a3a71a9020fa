import { type Place, put, remove, textValue } from '@waymark/domain/flow-files/text';
import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';

interface TextFieldProps {
  editing: Editing;
  place: Place;
  label: string;
  placeholder?: string;
  lines?: boolean;
  isCode?: boolean;
  /** Keeps a value that is emptied, instead of taking its key away. */
  isNeeded?: boolean;
  hint?: string;
}

/** A value of the text as a field; emptied, it is taken out of the text. */
export function TextField({
  editing,
  place,
  label,
  placeholder,
  lines = false,
  isCode = false,
  isNeeded = false,
  hint,
}: TextFieldProps) {
  const value = editing.source.value.value(place) ?? '';
  const change = (next: string): void => {
    const text = editing.text.peek();
    const changed =
      next === '' && !isNeeded ? remove(text, place) : put(text, place, textValue(next));
    editing.change(changed, place.join('\n'));
  };
  const common = {
    value,
    placeholder,
    class: isCode ? 'code-input' : undefined,
    spellcheck: !isCode,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change(currentTarget.value),
  };
  return (
    <label class="field" data-place={placeName(place)}>
      <span>{label}</span>
      {lines ? <textarea rows={4} {...common} /> : <input {...common} />}
      {hint && <span class="faint small">{hint}</span>}
    </label>
  );
}
