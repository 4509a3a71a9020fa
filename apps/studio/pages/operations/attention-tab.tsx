import { useState } from 'preact/hooks';
import type { AttentionFile, CheckedAttention } from '../../src/attention/attention-views.js';
import { call } from '../api/call.js';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, TextInput } from '../controls/form.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { mayEdit } from '../session/session.js';

const EXAMPLE = `groups:
  announcements:
    at-once: 1
    limit: { starts: 2, per: 7 days }
    pause: 1 day
    idle: 14 days`;

/** Groups of flows that take turns in starting by themselves, as the one file that they are (Q1). */
export function AttentionTab() {
  const found = useAnswer<AttentionFile>('/api/attention');
  return (
    <div class="stack">
      <p class="faint">
        Flows of a group take turns in starting by themselves. The file holds for all environments.
      </p>
      <Shown of={found} what="the attention groups">
        {(file) => (
          <>
            <Naming file={file} />
            <Editor key={file.sha256} file={file} onDone={found.reload} />
          </>
        )}
      </Shown>
    </div>
  );
}

/** Which flows are in which group, as their files say. */
function Naming({ file: { groups } }: { file: AttentionFile }) {
  if (groups.length === 0) return <p>No flow is in a group.</p>;
  return (
    <ul class="list">
      {groups.map(({ group, flows, isKnown }) => (
        <li key={group}>
          <b>{group}</b>: {flows.join(', ') || 'no flow'}{' '}
          {!isKnown && <span class="chip warn">not in the file, so nothing waits</span>}
        </li>
      ))}
    </ul>
  );
}

interface EditorProps {
  file: AttentionFile;
  onDone: () => void;
}

function Editor({ file, onDone }: EditorProps) {
  const [text, setText] = useState(file.text);
  const [checked, setChecked] = useState<CheckedAttention>();
  const doing = useDoing();
  const check = () =>
    doing.run(async () => {
      setChecked(await call<CheckedAttention>('/api/attention/check', { body: { text } }));
    });
  return (
    <>
      <Form onSubmit={check}>
        <label class="field">
          <span>Groups</span>
          <textarea
            class="code-input"
            rows={Math.max(12, text.split('\n').length + 1)}
            spellcheck={false}
            readOnly={!mayEdit.value}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setChecked(undefined);
            }}
          />
        </label>
        <details>
          <summary>An example with all rules, each of which may be left out</summary>
          <pre>{EXAMPLE}</pre>
        </details>
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
        <Apply
          text={text}
          file={file}
          checked={checked}
          onClose={() => setChecked(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}

function Problems({ of }: { of: CheckedAttention['problems'] }) {
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

interface ApplyProps extends EditorProps {
  text: string;
  checked: CheckedAttention;
  onClose: () => void;
}

/** Says what changes, and which flows will not wait any more, before it is done. */
function Apply({ text, file, checked: { difference, named = [] }, onClose, onDone }: ApplyProps) {
  const [reason, setReason] = useState('');
  const doing = useDoing();
  const told = (['added', 'changed', 'removed'] as const).filter(
    (what) => difference![what].length > 0,
  );
  const apply = () =>
    doing.run(async () => {
      const body = { text, ifMatch: file.sha256, ...(reason && { reason }) };
      await call('/api/attention', { body });
      onClose();
      onDone();
    });
  return (
    <Dialog title="Apply the attention groups" onClose={onClose}>
      <Form onSubmit={apply}>
        {told.length === 0 && <p>Nothing differs from the groups that there are.</p>}
        <ul class="list">
          {told.map((what) => (
            <li key={what}>
              <span class="chip">{what}</span> {difference![what].join(', ')}
            </li>
          ))}
        </ul>
        {named.map(({ group, flows }) => (
          <p class="note warn" key={group}>
            {flows.join(', ')} will not wait any more:{' '}
            {flows.length === 1 ? 'it names' : 'they name'} {group}, which this removes.
          </p>
        ))}
        <TextInput label="Reason" value={reason} maxLength={1_000} onInput={setReason} />
        <Doing of={doing} />
        <DialogFoot onClose={onClose}>
          <button type="submit" class="filled" disabled={doing.isBusy || told.length === 0}>
            Apply
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}
