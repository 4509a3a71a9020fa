import { useState } from 'preact/hooks';
import type { UserFlow } from '@waymark/domain/records';
import type { Acted } from '../../src/users/user-views.js';
import { call, path } from '../api/call.js';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, TextInput } from '../controls/form.js';
import { Menu } from '../controls/menu.js';
import { choose, go, to } from '../router/router.js';
import { forget } from './last-looked-at.js';

type Intent = 'reset' | 'start' | 'stop' | 'finish';
type Act = Intent | 'restore' | 'delete';

const WORDS: Readonly<Record<Act, { title: string; told: string; button: string }>> = {
  reset: {
    title: 'Reset',
    told: 'The user starts again from the beginning, whatever the targeting says.',
    button: 'Reset',
  },
  start: {
    title: 'Start',
    told: 'The flow is started for the user, whatever the targeting says.',
    button: 'Start',
  },
  stop: { title: 'Stop', told: 'The flow is no longer shown to the user.', button: 'Stop' },
  finish: { title: 'Finish', told: 'The flow counts as finished by the user.', button: 'Finish' },
  restore: {
    title: 'Restore',
    told: 'The user is put back to where they were at this step, as a new step.',
    button: 'Restore',
  },
  delete: {
    title: 'Delete user',
    told: 'Everything that is kept of the user is deleted for ever: properties, groups, states and history.',
    button: 'Delete for ever',
  },
};

type Target = Pick<UserFlow, 'flow' | 'version' | 'revision'>;

interface UserActionsProps {
  environment: string;
  user: string;
  /** What is acted on: the state that is looked at, or the version in which one would begin. */
  target: Target | undefined;
  /** Whether the user has a state there. */
  isMet: boolean;
  /** What people call the flow. */
  title: string;
  /** The step under the slider. */
  at: number | undefined;
  onDone: () => void;
}

/** What can be done to a user; what moves them in a flow can be taken back. */
export function UserActions(props: UserActionsProps) {
  const { environment, user, target, isMet, title, at, onDone } = props;
  const [act, setAct] = useState<Act>();
  const [done, setDone] = useState<{ act: Act; revision: number }>();
  const isPast = isMet && at !== undefined && at !== target?.revision;
  const first = isPast ? 'restore' : isMet ? 'reset' : 'start';
  return (
    <div class="stack close">
      <div class="row one-line">
        {target && (
          <button type="button" class="filled" onClick={() => setAct(first)}>
            <span class="cut">
              {isPast ? `Restore to step ${at}…` : `${WORDS[first].title} ${title}…`}
            </span>
          </button>
        )}
        <Menu label="More">
          {target &&
            (['reset', 'start', 'stop', 'finish'] as const)
              .filter((intent) => intent !== first && (isMet || intent !== 'reset'))
              .map((intent) => (
                <button key={intent} type="button" onClick={() => setAct(intent)}>
                  {WORDS[intent].title}…
                </button>
              ))}
          <a
            class="button"
            href={path`/api/${environment}/users/${user}/export`}
            download={`${user}.json`}
          >
            Export all that is kept
          </a>
          <button type="button" class="danger" onClick={() => setAct('delete')}>
            Delete user…
          </button>
        </Menu>
      </div>
      {done && target && (
        <Undo
          environment={environment}
          user={user}
          target={target}
          done={done}
          onEnd={() => (setDone(undefined), onDone())}
        />
      )}
      {act && (
        <Ask
          {...props}
          act={act}
          onClose={() => setAct(undefined)}
          onDone={({ tookEffect, revision }) => {
            setAct(undefined);
            if (act === 'delete') {
              forget(environment, user);
              return go(to(environment, 'users'));
            }
            choose({ revision: undefined }, { replace: true });
            setDone(tookEffect ? { act, revision } : undefined);
            onDone();
          }}
        />
      )}
    </div>
  );
}

interface AskProps extends Omit<UserActionsProps, 'onDone'> {
  act: Act;
  onClose: () => void;
  onDone: (acted: Acted) => void;
}

function Ask({ environment, user, target, title: flowTitle, at, act, onClose, onDone }: AskProps) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const doing = useDoing();
  const { title, told, button } = WORDS[act];
  const submit = () =>
    doing.run(async () => {
      const why = reason === '' ? {} : { reason };
      const base = path`/api/${environment}/users/${user}`;
      if (act === 'delete') {
        await call(`${base}/delete`, { body: { identifier: typed, ...why } });
        return onDone({ tookEffect: true, revision: 0 });
      }
      const { flow, version } = target!;
      const [last, body] =
        act === 'restore'
          ? ['restore', { version, revision: at }]
          : ['command', { version, intent: act }];
      onDone(
        await call<Acted>(`${base}${path`/flows/${flow}/`}${last}`, { body: { ...body, ...why } }),
      );
    });
  return (
    <Dialog title={act === 'delete' ? title : `${title} ${flowTitle}`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>{told}</p>
        {act === 'delete' && (
          <TextInput
            label={
              <>
                Type <code>{user}</code> to delete it
              </>
            }
            value={typed}
            onInput={setTyped}
          />
        )}
        <TextInput
          label="Why? (for the log)"
          value={reason}
          maxLength={1_000}
          onInput={setReason}
        />
        <Doing of={doing} />
        <DialogFoot onClose={onClose}>
          <button
            type="submit"
            class={act === 'delete' ? 'filled danger' : 'filled'}
            disabled={doing.isBusy || (act === 'delete' && typed !== user)}
          >
            {button}
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}

interface UndoProps {
  environment: string;
  user: string;
  target: Target;
  done: { act: Act; revision: number };
  onEnd: () => void;
}

/** Offered until something else happens to the state. */
function Undo({ environment, user, target: { flow, version, revision }, done, onEnd }: UndoProps) {
  const doing = useDoing();
  if (revision > done.revision) return null;
  const undo = () =>
    doing.run(async () => {
      const body = { version, revision: done.revision - 1, reason: `undo of ${done.act}` };
      await call(`${path`/api/${environment}/users/${user}/flows/${flow}`}/restore`, { body });
      onEnd();
    });
  return (
    <div class="note good" role="status">
      <p>{WORDS[done.act].title}: done.</p>
      <button type="button" disabled={doing.isBusy} onClick={() => void undo()}>
        Undo
      </button>
      <Doing of={doing} />
    </div>
  );
}
