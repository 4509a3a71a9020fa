import { useState } from 'preact/hooks';

interface AddNameProps {
  /** What the name will be of, as the button and the label say it. */
  what: 'field' | 'path';
  /** What names of this kind look like. */
  allowed: RegExp;
  onAdd: (name: string) => void;
}

/** One line to add something that only needs a name. */
export function AddName({ what, allowed, onAdd }: AddNameProps) {
  const [name, setName] = useState('');
  const isAllowed = allowed.test(name);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAllowed) return;
        onAdd(name);
        setName('');
      }}
    >
      <label class="grow">
        <span class="unseen">Name of another {what}</span>
        <input
          value={name}
          placeholder={`another ${what}`}
          spellcheck={false}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="tight" disabled={!isAllowed}>
        Add {what}
      </button>
    </form>
  );
}
