import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Editing } from '../draft/editing.js';
import { put, textValue } from '../text/edits.js';
import type { Place } from '../text/flow-text.js';
import { type Completion, completionAt } from './complete-path.js';

interface ConditionFieldProps {
  editing: Editing;
  place: Place;
  label: string;
}

/** A condition over properties, whose names are offered; what is wrong with it stands among the problems. */
export function ConditionField({ editing, place, label }: ConditionFieldProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  useEffect(() => editing.loadNames(), [editing]);
  const [offer, setOffer] = useState<Completion>();
  const [active, setActive] = useState(0);
  const write = (next: string): void => editing.change(put(editing.text.peek(), place, textValue(next)), place.join('\n'));
  const look = (): void => {
    const { value, selectionStart } = ref.current!;
    setOffer(completionAt(value, selectionStart, editing.names.value));
    setActive(0);
  };
  const take = (choice: string): void => {
    const { value, selectionStart } = ref.current!;
    const cursor = offer!.from + choice.length;
    write(value.slice(0, offer!.from) + choice + value.slice(selectionStart));
    setOffer(undefined);
    ref.current!.focus();
    requestAnimationFrame(() => ref.current?.setSelectionRange(cursor, cursor));
  };
  const press = (event: KeyboardEvent): void => {
    if (!offer) return;
    const { length } = offer.choices;
    if (event.key === 'Enter') take(offer.choices[active]!);
    else if (event.key === 'Escape') setOffer(undefined);
    else if (event.key === 'ArrowDown') setActive((active + 1) % length);
    else if (event.key === 'ArrowUp') setActive((active + length - 1) % length);
    else return;
    event.preventDefault();
  };
  return (
    <div class="field completing">
      <label class="field">
        <span>{label}</span>
        <textarea
          ref={ref}
          rows={3}
          class="code-input"
          spellcheck={false}
          value={editing.source.value.value(place) ?? ''}
          aria-autocomplete="list"
          aria-controls={offer && listId}
          aria-activedescendant={offer && `${listId}-${active}`}
          onInput={({ currentTarget }) => {
            write(currentTarget.value);
            look();
          }}
          onKeyDown={press}
          onBlur={() => setOffer(undefined)}
        />
      </label>
      {offer && <Offered id={listId} choices={offer.choices} active={active} onTake={take} />}
      <span class="faint small">{'Such as user.properties.plan == "pro" AND NOT user.properties.activated'}</span>
    </div>
  );
}

interface OfferedProps {
  id: string;
  choices: readonly string[];
  active: number;
  onTake: (choice: string) => void;
}

function Offered({ id, choices, active, onTake }: OfferedProps) {
  return (
    <ul class="offered" role="listbox" id={id} aria-label="Properties">
      {choices.map((choice, index) => (
        <li
          key={choice}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(choice);
          }}
        >
          {choice}
        </li>
      ))}
    </ul>
  );
}
