import { useState } from 'preact/hooks';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Check, Form, TextInput } from '../controls/form.js';
import { isIdentifier, nearIdentifier } from '../controls/identifier.js';
import { Link } from '../controls/link.js';
import { go, to } from '../router/router.js';

/** What a new flow may begin as; the texts come with the editor. */
const TEMPLATES = [
  { name: 'empty', title: 'Next to nothing', description: 'One modal that leads to the end.' },
  { name: 'announcement', title: 'An announcement', description: 'A modal that is shown once.' },
  {
    name: 'first-steps',
    title: 'First steps',
    description: 'A checklist of things to do in any order.',
  },
  { name: 'board-tour', title: 'A tour', description: 'One step after the other through a page.' },
  { name: 'feedback', title: 'A survey', description: 'Questions with a branch and a gate.' },
] as const;

interface NewFlowProps {
  environment: string;
  /** Existing identifiers, also of archived flows. */
  taken: readonly string[];
  onClose: () => void;
}

/** Asks for a title, from which the identifier is made, and where to begin (T21). */
export function NewFlow({ environment, taken, onClose }: NewFlowProps) {
  const [title, setTitle] = useState('');
  const [typed, setTyped] = useState<string>();
  const [from, setFrom] = useState<string>('empty');
  const name = typed ?? nearIdentifier(title);
  const isTaken = taken.includes(name);
  const isAllowed = isIdentifier(name) && !isTaken;
  const near = nearIdentifier(name);
  const begin = (): void => {
    const query = new URLSearchParams({ name, from, ...(title && { title }) });
    go(`${to(environment, 'flows', '~new', 'edit')}?${query.toString()}`);
  };
  return (
    <Dialog title="New flow" onClose={onClose}>
      <Form onSubmit={() => isAllowed && begin()}>
        <TextInput
          label="Name"
          value={title}
          maxLength={200}
          placeholder="such as First steps"
          hint="What people call it."
          onInput={setTitle}
        />
        <TextInput
          label="Identifier"
          value={name}
          placeholder="such as first-steps"
          hint="What your application asks for: letters, digits, - and _. It cannot be changed later."
          isCode
          onInput={setTyped}
        />
        {isTaken && (
          <p class="note warn" role="alert">
            There is a flow <code>{name}</code> already.{' '}
            <Link to={to(environment, 'flows', name)}>Look at it</Link>, or take another identifier.
          </p>
        )}
        {!isAllowed && !isTaken && near !== '' && (
          <div class="note warn" role="status">
            <p>Nothing else can stand in an identifier.</p>
            <button type="button" class="tight" onClick={() => setTyped(near)}>
              Take {near}
            </button>
          </div>
        )}
        <TemplateChoice chosen={from} onChange={setFrom} />
        <DialogFoot onClose={onClose}>
          <button type="submit" class="filled" disabled={!isAllowed}>
            Begin
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}

interface TemplateChoiceProps {
  chosen: string;
  onChange: (template: string) => void;
}

function TemplateChoice({ chosen, onChange }: TemplateChoiceProps) {
  return (
    <fieldset class="stack close">
      <legend class="field-label">Begin with</legend>
      {TEMPLATES.map(({ name, title, description }) => (
        <Check
          key={name}
          type="radio"
          name="start"
          checked={chosen === name}
          onChange={() => onChange(name)}
        >
          {title} <span class="faint small">{description}</span>
        </Check>
      ))}
    </fieldset>
  );
}
