import { useState } from 'preact/hooks';
import { Form } from '../../controls/form.js';
import { isIdentifier, nearIdentifier } from '../../controls/identifier.js';

interface NameFieldProps {
  label: string;
  name: string;
  /** What it was last saved as, where that is another one. */
  former: string | undefined;
  isTaken: (name: string) => boolean;
  onRename: (name: string) => void;
}

/**
 * The identifier of a block or item. It is changed by Enter, or once the field is left: a typed
 * name is never dropped (T21).
 */
export function NameField({ label, name, former, isTaken, onRename }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  const isSame = typed === name;
  const isAllowed = isIdentifier(typed) && !isTaken(typed);
  const rename = (): void => {
    if (!isSame && isAllowed) onRename(typed);
  };
  return (
    <Form class="field" onSubmit={rename}>
      <label class="field">
        <span>{label}</span>
        <input
          class="code-input"
          value={typed}
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={rename}
        />
      </label>
      <p class="faint small">What the application calls it.</p>
      {!isSame && !isAllowed && (
        <div class="note warn small" role="alert">
          <p>
            {isTaken(typed)
              ? `There is a ${typed} already.`
              : 'A name has letters, digits, - and _, and begins with a letter or digit.'}{' '}
            It stays {name} until then.
          </p>
          <NearName typed={typed} isTaken={isTaken} onTake={onRename} />
        </div>
      )}
      {former !== undefined && (
        <p class="note warn small">
          Applications may ask for <code>{former}</code> by this name: rename it there too. Users
          who are in it stay in it.
        </p>
      )}
    </Form>
  );
}

interface NearNameProps {
  typed: string;
  isTaken: (name: string) => boolean;
  onTake: (name: string) => void;
}

function NearName({ typed, isTaken, onTake }: NearNameProps) {
  const near = nearIdentifier(typed);
  if (near === '' || near === typed || isTaken(near)) return null;
  return (
    <button type="button" class="tight" onClick={() => onTake(near)}>
      Take {near}
    </button>
  );
}
