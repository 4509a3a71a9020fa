import ConditionEditor from '../../condition/condition-editor.js';
import type { Editing } from '../draft/editing.js';
import { placeName } from '../draft/use-wanted.js';
import { type Place, put, remove, textValue } from '@waymark/domain/flow-files/text';

interface ConditionFieldProps {
  editing: Editing;
  place: Place;
  label: string;
  hint?: string;
  /** Takes its key out of the text when it is emptied. */
  isOptional?: boolean;
  /** What is taken out instead of its own key. */
  emptied?: Place;
  /** What is written with it. */
  beside?: (text: string) => string;
}

/** A condition of the flow; what is wrong with it is among the problems. */
export function ConditionField({
  editing,
  place,
  label,
  hint,
  isOptional = false,
  emptied = place,
  beside = (text) => text,
}: ConditionFieldProps) {
  const change = (next: string): void => {
    const text = editing.text.peek();
    const isEmpty = isOptional && next.trim() === '';
    const changed = isEmpty ? remove(text, emptied) : beside(put(text, place, textValue(next)));
    editing.change(changed, place.join('\n'));
  };
  return (
    <div class="stack close" data-place={placeName(place)}>
      <ConditionEditor
        environment={editing.environment}
        label={label}
        value={editing.source.value.value(place) ?? ''}
        onChange={change}
      />
      {hint && <p class="faint small">{hint}</p>}
    </div>
  );
}
