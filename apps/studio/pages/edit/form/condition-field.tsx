import ConditionEditor from '../../condition/condition-editor.js';
import type { Editing } from '../draft/editing.js';
import { type Place, put, textValue } from '@waymark/domain/flow-files/text';

interface ConditionFieldProps {
  editing: Editing;
  place: Place;
  label: string;
}

/** A condition of the flow; what is wrong with it stands among the problems. */
export function ConditionField({ editing, place, label }: ConditionFieldProps) {
  return (
    <ConditionEditor
      environment={editing.environment}
      label={label}
      value={editing.source.value.value(place) ?? ''}
      onChange={(next) =>
        editing.change(put(editing.text.peek(), place, textValue(next)), place.join('\n'))
      }
    />
  );
}
