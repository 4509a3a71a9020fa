import type { Editing } from '../editing.js';
import type { Place } from '../text/flow-text.js';
import { TextField } from './text-field.js';

/** A condition over properties of the user; what is wrong with it stands among the problems. */
export function ConditionField({ editing, place, label }: { editing: Editing; place: Place; label: string }) {
  return (
    <TextField
      editing={editing}
      place={place}
      label={label}
      lines
      isCode
      isNeeded
      hint={'Such as user.properties.plan == "pro" AND NOT user.properties.activated'}
    />
  );
}
