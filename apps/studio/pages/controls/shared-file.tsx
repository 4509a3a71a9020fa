import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckedFile } from '../../src/shared-files/shared-file-views.js';
import { call } from '../api/call.js';
import { mayEdit } from '../session/session.js';
import { Dialog, DialogFoot } from './dialog.js';
import { Doing, useDoing } from './doing.js';
import { Form, TextInput } from './form.js';

interface SharedFileProps<Answer extends CheckedFile> {
  /** Where it is checked and applied. */
  address: string;
  file: { readonly text: string; readonly sha256: string };
  label: string;
  example: string;
  /** Of the dialog. */
  title: string;
  /** What it is a file of. */
  what: string;
  /** Its content as a form that changes the text; the text itself is folded beneath it. */
  form?: (text: string, onChange: (text: string) => void) => ComponentChildren;
  /** What else there is to know before it is applied. */
  describe: (checked: Answer) => ComponentChildren;
  onDone: () => void;
}

/**
 * A file of all environments, edited as text and by its form: mistakes and the effects of a change
 * are shown before it is saved.
 */
export function SharedFile<Answer extends CheckedFile>(props: SharedFileProps<Answer>) {
  const { address, file, form } = props;
  const [text, setText] = useState(file.text);
  const [checked, setChecked] = useState<Answer>();
  const doing = useDoing();
  const check = () =>
    doing.run(async () => {
      setChecked(await call<Answer>(`${address}/check`, { body: { text } }));
    });
  const change = (next: string): void => {
    setText(next);
    setChecked(undefined);
  };
  const written = <Written {...props} text={text} onChange={change} />;
  return (
    <>
      {form?.(text, change)}
      <Form onSubmit={check}>
        {form ? (
          <details class="group">
            <summary>As text</summary>
            <div class="stack close">{written}</div>
          </details>
        ) : (
          written
        )}
        <Problems of={checked?.problems ?? []} />
        <Doing of={doing} />
        {mayEdit.value && (
          <div class="row">
            <button type="submit" class="filled" disabled={doing.isBusy || text === file.text}>
              Apply…
            </button>
          </div>
        )}
      </Form>
      {checked?.difference && (
        <Apply {...props} text={text} checked={checked} onClose={() => setChecked(undefined)} />
      )}
    </>
  );
}

function Written({
  label,
  example,
  text,
  onChange,
}: {
  label: string;
  example: string;
  text: string;
  onChange: (text: string) => void;
}) {
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <textarea
          class="code-input"
          rows={Math.max(12, text.split('\n').length + 1)}
          spellcheck={false}
          readOnly={!mayEdit.value}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <details>
        <summary>An example</summary>
        <pre>{example}</pre>
      </details>
    </>
  );
}

function Problems({ of }: { of: CheckedFile['problems'] }) {
  if (of.length === 0) return null;
  return (
    <ul class="note bad" role="alert">
      {of.map(({ line, column, message }) => (
        <li key={`${line}:${column} ${message}`}>
          Line {line}: {message}
        </li>
      ))}
    </ul>
  );
}

interface ApplyProps<Answer extends CheckedFile> extends SharedFileProps<Answer> {
  text: string;
  checked: Answer;
  onClose: () => void;
}

function Apply<Answer extends CheckedFile>(props: ApplyProps<Answer>) {
  const { address, text, file, title, what, checked, describe, onClose, onDone } = props;
  const [reason, setReason] = useState('');
  const doing = useDoing();
  const difference = checked.difference!;
  const changes = (['added', 'changed', 'removed'] as const).filter(
    (change) => difference[change].length > 0,
  );
  const apply = () =>
    doing.run(async () => {
      const body = { text, ifMatch: file.sha256, ...(reason && { reason }) };
      await call(address, { body });
      onClose();
      onDone();
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={apply}>
        {changes.length === 0 && <p>The {what} are already those of the file.</p>}
        <ul class="list">
          {changes.map((change) => (
            <li key={change}>
              <span class="chip">{change}</span> {difference[change].join(', ')}
            </li>
          ))}
        </ul>
        {describe(checked)}
        <TextInput label="Reason" value={reason} maxLength={1_000} onInput={setReason} />
        <Doing of={doing} />
        <DialogFoot onClose={onClose}>
          <button type="submit" class="filled" disabled={doing.isBusy || changes.length === 0}>
            Apply
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}
