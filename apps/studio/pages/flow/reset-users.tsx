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

/** Resets many users of a version: counted first, done with its progress in sight, and taken back where it was a mistake. */
export default function ResetUsers({
  environment,
  flow,
  title,
  version,
  onClose,
}: ResetUsersProps) {
  const [when, setWhen] = useState<string>();
  const [force, setForce] = useState(false);
  const [reason, setReason] = useState('');
  const [counted, setCounted] = useState<ResetOutcome>();
  const [sofar, setSofar] = useState<number>();
  const [done, setDone] = useState<ResetOutcome>();
  const [stop, setStop] = useState<AbortController>();
  const doing = useDoing();
  const ask = async (dryRun: boolean): Promise<ResetOutcome> => {
    const body = {
      version,
      force,
      dryRun,
      ...(when !== undefined && { when }),
      ...(reason !== '' && { reason }),
    };
    const controller = new AbortController();
    setStop(controller);
    setSofar(0);
    try {
      return await stream<ResetOutcome, { matched: number }>(
        path`/api/${environment}/flows/${flow}/reset`,
        {
          body,
          signal: controller.signal,
          onProgress: ({ matched }) => setSofar(matched),
        },
      );
    } finally {
      setSofar(undefined);
    }
  };
  const change = (set: () => void): void => {
    set();
    setCounted(undefined);
  };
  if (done) return <Done environment={environment} title={title} done={done} onClose={onClose} />;
  return (
    <Dialog
      title={`Reset users of ${title}, version ${version || 'draft'}`}
      onClose={() => (stop?.abort(), onClose())}
    >
      <Form
        onSubmit={() =>
          doing.run(async () => (counted ? setDone(await ask(false)) : setCounted(await ask(true))))
        }
      >
        <p>
          What they did in it is forgotten, and they start again from the beginning where they
          qualify.
        </p>
        <fieldset class="stack close" disabled={doing.isBusy}>
          <legend class="field-label">Who</legend>
          <Check
            type="radio"
            name="who"
            checked={when === undefined}
            onChange={() => change(() => setWhen(undefined))}
          >
            Everybody who has a state in this version
          </Check>
          <Check
            type="radio"
            name="who"
            checked={when !== undefined}
            onChange={() => change(() => setWhen(''))}
          >
            Only those for whom a condition holds
          </Check>
          {when !== undefined && (
            <ConditionEditor
              environment={environment}
              label="Condition"
              value={when}
              onChange={(text) => change(() => setWhen(text))}
            />
          )}
          <Check checked={force} onChange={(isForced) => change(() => setForce(isForced))}>
            Start them again whatever the targeting says
          </Check>
        </fieldset>
        {counted && (
          <>
            <p class={counted.matched === 0 ? 'note' : 'note warn'} role="status">
              {counted.matched === 0
                ? 'This would reset nobody.'
                : `This would reset ${users(counted.matched)}${someOf(counted)}.`}
            </p>
            <TextInput
              label="Why? (for the log)"
              value={reason}
              maxLength={1_000}
              onInput={setReason}
            />
          </>
        )}
        {sofar !== undefined && (
          <div class="progress" role="status">
            <div class="progress-track" />
            <p class="faint">
              {users(sofar)} {counted ? 'so far' : 'counted so far'}
            </p>
          </div>
        )}
        <Doing of={doing} />
        <div class="dialog-foot">
          <button type="button" onClick={() => (stop?.abort(), onClose())}>
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
