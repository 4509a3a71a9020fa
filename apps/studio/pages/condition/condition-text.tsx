import { useId, useRef, useState } from 'preact/hooks';
import type { ConditionNames } from '../../src/conditions/condition-views.js';
import { type Completion, completionAt } from './complete-path.js';

interface ConditionTextProps {
  label: string;
  value: string;
  names: ConditionNames;
  onChange: (text: string) => void;
}

/** A condition as text, with the names of properties offered. */
export function ConditionText({ label, value, names, onChange }: ConditionTextProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [offer, setOffer] = useState<Completion>();
  const [active, setActive] = useState(0);
  const look = (): void => {
    const { value: typed, selectionStart } = ref.current!;
    setOffer(completionAt(typed, selectionStart, names));
    setActive(0);
  };
  const take = (choice: string): void => {
    const field = ref.current!;
    // In the field itself and at once, so that what is typed next follows the choice.
    field.setRangeText(choice, offer!.from, field.selectionStart, 'end');
    onChange(field.value);
    setOffer(undefined);
    field.focus();
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
        <span class="unseen">{label}</span>
        <textarea
          ref={ref}
          rows={3}
          class="code-input"
          spellcheck={false}
          value={value}
          aria-autocomplete="list"
          aria-controls={offer && listId}
          aria-activedescendant={offer && `${listId}-${active}`}
          onInput={({ currentTarget }) => {
            onChange(currentTarget.value);
            look();
          }}
          onKeyDown={press}
          onBlur={() => setOffer(undefined)}
        />
      </label>
      {offer && <Offered id={listId} choices={offer.choices} active={active} onTake={take} />}
      <span class="faint small">
        {'Such as user.properties.plan == "pro" AND NOT user.properties.activated'}
      </span>
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
