import { useState } from 'preact/hooks';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Check, Form, TextInput } from '../controls/form.js';
import { isIdentifier, nearIdentifier } from '../controls/identifier.js';
import { go, to } from '../place/place.js';

/** What a new flow may begin as; the texts come with the editor. */
const STARTS = [
  { name: 'empty', title: 'Next to nothing', told: 'One modal that leads to the end.' },
  { name: 'announcement', title: 'An announcement', told: 'A modal that is shown once.' },
  { name: 'first-steps', title: 'First steps', told: 'A checklist of things to do in any order.' },
  { name: 'board-tour', title: 'A tour', told: 'One step after the other through a page.' },
  { name: 'feedback', title: 'A survey', told: 'Questions with a branch and a gate.' },
] as const;

/** Asks for an identifier and where to begin. */
export function NewFlow({ environment, onClose }: { environment: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [from, setFrom] = useState<string>('empty');
  const isAllowed = isIdentifier(name);
  const near = nearIdentifier(name);
  const begin = (): void => {
    const query = new URLSearchParams({ name, from });
    go(`${to(environment, 'flows', '~new', 'edit')}?${query.toString()}`);
  };
  return (
    <Dialog title="New flow" onClose={onClose}>
      <Form onSubmit={() => isAllowed && begin()}>
        <TextInput
          label="Identifier"
          value={name}
          placeholder="such as first-steps"
          hint="What your application asks for: letters, digits, - and _. It cannot be changed later."
          isCode
          onInput={setName}
        />
        {!isAllowed && near !== '' && (
          <div class="note warn" role="status">
            <p>Nothing else can stand in an identifier.</p>
            <button type="button" class="tight" onClick={() => setName(near)}>
              Take {near}
            </button>
          </div>
        )}
        <fieldset class="stack close">
          <legend class="field-label">Begin with</legend>
          {STARTS.map(({ name: start, title, told }) => (
            <Check key={start} type="radio" name="start" checked={from === start} onChange={() => setFrom(start)}>
              {title} <span class="faint small">{told}</span>
            </Check>
          ))}
        </fieldset>
        <DialogFoot onClose={onClose}>
          <button type="submit" class="filled" disabled={!isAllowed}>
            Begin
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}
