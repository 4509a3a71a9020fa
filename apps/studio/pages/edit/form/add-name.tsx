import { useState } from 'preact/hooks';
import { Form } from '../../controls/form.js';

interface AddNameProps {
  /** What the name will be of, as the button and the label say it. */
  what: 'field' | 'path' | 'way';
  /** What names of this kind look like. */
  allowed: RegExp;
  onAdd: (name: string) => void;
}

/** One line to add something that only needs a name. */
export function AddName({ what, allowed, onAdd }: AddNameProps) {
  const [name, setName] = useState('');
  const isAllowed = allowed.test(name);
  const add = (): void => {
    if (!isAllowed) return;
    onAdd(name);
    setName('');
  };
  return (
    <Form class="row" onSubmit={add}>
      <label class="grow">
        <span class="unseen">Name of another {what}</span>
        <input
          value={name}
          placeholder={`another ${what}`}
          spellcheck={false}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          // Added when the input loses focus too, so that nothing typed is lost.
          onBlur={add}
        />
      </label>
      <button type="submit" class="tight" disabled={!isAllowed}>
        Add {what}
      </button>
    </Form>
  );
}
