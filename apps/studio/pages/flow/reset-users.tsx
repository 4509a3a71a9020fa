import { useState } from 'preact/hooks';
import type { ResetOutcome } from '../../src/operations/operations-views.js';
import { path } from '../api/call.js';
import { stream } from '../api/stream.js';
import ConditionEditor from '../condition/condition-editor.js';
import { Dialog } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Check, Form, TextInput } from '../controls/form.js';
import { countText } from '../controls/time.js';

interface ResetUsersProps {
  environment: string;
  flow: string;
  /** What people call the flow. */
  title: string;
  version: number;
  onClose: () => void;
}

const users = (count: number): string => (count === 1 ? '1 user' : `${countText(count)} users`);

/**
 * Resets many users of a version: counted first, done with its progress in sight, and taken back
 * where it was a mistake.
 */
export default function ResetUsers({
  environment,
  flow,
  title,
  version,
  onClose,
}: ResetUsersProps) {
  const [selection, setSelection] = useState<Selection>({ force: false });
  const [reason, setReason] = useState('');
  const [counted, setCounted] = useState<ResetOutcome>();
  const [done, setDone] = useState<ResetOutcome>();
  const { progress, request, stop } = useResetRequest(
    path`/api/${environment}/flows/${flow}/reset`,
  );
  const doing = useDoing();
  const body = { version, ...selection, ...(reason !== '' && { reason }) };
  const countOrReset = async (): Promise<void> => {
    if (counted) setDone(await request({ ...body, dryRun: false }));
    else setCounted(await request({ ...body, dryRun: true }));
  };
  const close = (): void => {
    stop();
    onClose();
  };
  if (done) return <Done environment={environment} title={title} done={done} onClose={onClose} />;
  return (
    <Dialog title={`Reset users of ${title}, version ${version || 'draft'}`} onClose={close}>
      <Form onSubmit={() => doing.run(countOrReset)}>
        <p>
          What they did in it is forgotten, and they start again from the beginning where they
          qualify.
        </p>
        <SelectionFields
          environment={environment}
          selection={selection}
          disabled={doing.isBusy}
          onChange={(next) => {
            setSelection(next);
            setCounted(undefined);
          }}
        />
        {counted && <Counted counted={counted} reason={reason} onReason={setReason} />}
        {progress !== undefined && (
          <div class="progress" role="status">
            <div class="progress-track" />
            <p class="faint">
              {users(progress)} {counted ? 'so far' : 'counted so far'}
            </p>
          </div>
        )}
        <Doing of={doing} />
        <div class="dialog-foot">
          <button type="button" onClick={close}>
            {doing.isBusy ? 'Stop' : 'Cancel'}
          </button>
          <button type="submit" class="filled" disabled={doing.isBusy || counted?.matched === 0}>
            {counted && counted.matched > 0 ? `Reset ${users(counted.matched)}` : 'Count them'}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Which users are reset, and whether they start again whatever the targeting says. */
interface Selection {
  /** A condition; everybody without it. */
  when?: string;
  force: boolean;
}

/**
 * Counts or resets, with how many users were matched so far; `undefined` while nothing is on its
 * way.
 */
function useResetRequest(address: string) {
  const [progress, setProgress] = useState<number>();
  const [controller, setController] = useState<AbortController>();
  const request = async (body: object): Promise<ResetOutcome> => {
    const current = new AbortController();
    setController(current);
    setProgress(0);
    try {
      return await stream<ResetOutcome, { matched: number }>(address, {
        body,
        signal: current.signal,
        onProgress: ({ matched }) => setProgress(matched),
      });
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, request, stop: () => controller?.abort() };
}

interface SelectionFieldsProps {
  environment: string;
  selection: Selection;
  disabled: boolean;
  onChange: (selection: Selection) => void;
}

function SelectionFields({ environment, selection, disabled, onChange }: SelectionFieldsProps) {
  const { when, force } = selection;
  return (
    <fieldset class="stack close" disabled={disabled}>
      <legend class="field-label">Who</legend>
      <Check
        type="radio"
        name="who"
        checked={when === undefined}
        onChange={() => onChange({ force })}
      >
        Everybody who is in this version, or was
      </Check>
      <Check
        type="radio"
        name="who"
        checked={when !== undefined}
        onChange={() => onChange({ force, when: '' })}
      >
        Only users who match a condition
      </Check>
      {when !== undefined && (
        <ConditionEditor
          environment={environment}
          label="Condition"
          value={when}
          onChange={(text) => onChange({ force, when: text })}
        />
      )}
      <Check checked={force} onChange={(isForced) => onChange({ ...selection, force: isForced })}>
        Start them again whatever the targeting says
      </Check>
    </fieldset>
  );
}

interface CountedProps {
  counted: ResetOutcome;
  reason: string;
  onReason: (reason: string) => void;
}

/** Whom a reset would meet, and the question why. */
function Counted({ counted, reason, onReason }: CountedProps) {
  return (
    <>
      <p class={counted.matched === 0 ? 'note' : 'note warn'} role="status">
        {counted.matched === 0
          ? 'This would reset nobody.'
          : `This would reset ${users(counted.matched)}${someOf(counted)}.`}
      </p>
      <TextInput label="Why? (for the log)" value={reason} maxLength={1_000} onInput={onReason} />
    </>
  );
}

function someOf({ sample, matched }: ResetOutcome): string {
  if (sample.length === 0) return '';
  return sample.length < matched ? `, among them ${sample.join(', ')}` : `: ${sample.join(', ')}`;
}

/** The result of the reset, and its side effects if there were any. */
function listed(done: string, others: Readonly<Record<string, number>>): string {
  const more = Object.entries(others).flatMap(([what, count]) =>
    count > 0 ? `${countText(count)} ${what}` : [],
  );
  return `${[done, ...more].join(', ')}.`;
}

interface DoneProps {
  environment: string;
  title: string;
  done: ResetOutcome;
  onClose: () => void;
}

/** The result, and how to undo it. */
function Done({ environment, title, done, onClose }: DoneProps) {
  const [undone, setUndone] = useState<{ restored: number; movedOn: number; failed: number }>();
  const doing = useDoing();
  const undo = () =>
    doing.run(async () =>
      setUndone(await stream(path`/api/${environment}/runs/${done.run!}/undo`, { body: {} })),
    );
  return (
    <Dialog title={`Reset users of ${title}`} onClose={onClose}>
      <div class="stack">
        <p class="note good" role="status">
          {undone
            ? listed(`${users(undone.restored)} back where they were`, {
                'had moved on': undone.movedOn,
                failed: undone.failed,
              })
            : listed(`${users(done.reset)} reset`, {
                'clean already': done.unchanged,
                failed: done.failed,
              })}
        </p>
        {!undone && <p class="faint">You can undo it now, or later under Operations.</p>}
        <Doing of={doing} />
        <div class="dialog-foot">
          {!undone && done.run !== null && (
            <button type="button" disabled={doing.isBusy} onClick={() => void undo()}>
              Undo
            </button>
          )}
          <button type="button" class="filled" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
