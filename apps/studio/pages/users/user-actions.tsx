import { useState } from 'preact/hooks';
import type { UserFlow } from '@waymark/domain/records';
import type { ActionResult } from '../../src/users/user-views.js';
import { call, path } from '../api/call.js';
import { Dialog, DialogFoot } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Form, TextInput } from '../controls/form.js';
import { Menu } from '../controls/menu.js';
import { choose, go, to } from '../router/router.js';
import { forget } from './last-looked-at.js';

type Intent = 'reset' | 'start' | 'stop' | 'finish';
type Action = Intent | 'restore' | 'delete';

/** The words of the dialog of each action that is done to a user. */
const WORDS: Readonly<Record<Action, { title: string; consequence: string; button: string }>> = {
  reset: {
    title: 'Reset',
    consequence: 'The user starts again from the beginning, whatever the targeting says.',
    button: 'Reset',
  },
  start: {
    title: 'Start',
    consequence: 'The flow is started for the user, whatever the targeting says.',
    button: 'Start',
  },
  stop: { title: 'Stop', consequence: 'The flow is no longer shown to the user.', button: 'Stop' },
  finish: {
    title: 'Finish',
    consequence: 'The flow counts as finished by the user.',
    button: 'Finish',
  },
  restore: {
    title: 'Restore',
    consequence: 'The user is put back to where they were at this step, as a new step.',
    button: 'Restore',
  },
  delete: {
    title: 'Delete user',
    consequence:
      'Everything that is kept of the user is deleted for ever: properties, groups, states and history.',
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
  const { environment, user, target, onDone } = props;
  const [action, setAction] = useState<Action>();
  const [done, setDone] = useState<{ action: Action; revision: number }>();
  const finish = ({ tookEffect, revision }: ActionResult): void => {
    setAction(undefined);
    if (action === 'delete') {
      forget(environment, user);
      return go(to(environment, 'users'));
    }
    choose({ revision: undefined }, { replace: true });
    setDone(tookEffect ? { action: action!, revision } : undefined);
    onDone();
  };
  return (
    <div class="stack close">
      <Buttons {...props} onChoose={setAction} />
      {done && target && (
        <Undo
          environment={environment}
          user={user}
          target={target}
          done={done}
          onEnd={() => (setDone(undefined), onDone())}
        />
      )}
      {action && (
        <ActionDialog
          {...props}
          action={action}
          onClose={() => setAction(undefined)}
          onDone={finish}
        />
      )}
    </div>
  );
}

interface ButtonsProps extends Omit<UserActionsProps, 'onDone'> {
  onChoose: (action: Action) => void;
}

/** One button for what is wanted most, and a menu of the rest. */
function Buttons({ environment, user, target, isMet, title, at, onChoose }: ButtonsProps) {
  const isPast = isMet && at !== undefined && at !== target?.revision;
  const first = isPast ? 'restore' : isMet ? 'reset' : 'start';
  return (
    <div class="row one-line">
      {target && (
        <button type="button" class="filled" onClick={() => onChoose(first)}>
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
              <button key={intent} type="button" onClick={() => onChoose(intent)}>
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
        <button type="button" class="danger" onClick={() => onChoose('delete')}>
          Delete user…
        </button>
      </Menu>
    </div>
  );
}

interface ActionDialogProps extends Omit<UserActionsProps, 'onDone'> {
  action: Action;
  onClose: () => void;
  onDone: (acted: ActionResult) => void;
}

/** Says what will happen, and asks why, for the log. */
function ActionDialog(props: ActionDialogProps) {
  const { user, title: flowTitle, action, onClose, onDone } = props;
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const doing = useDoing();
  const { title, consequence, button } = WORDS[action];
  const isDelete = action === 'delete';
  const submit = () =>
    doing.run(async () => {
      const why = reason === '' ? {} : { reason };
      onDone(isDelete ? await deleteUser(props, typed, why) : await moveUser(props, why));
    });
  return (
    <Dialog title={isDelete ? title : `${title} ${flowTitle}`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>{consequence}</p>
        {isDelete && (
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
            class={isDelete ? 'filled danger' : 'filled'}
            disabled={doing.isBusy || (isDelete && typed !== user)}
          >
            {button}
          </button>
        </DialogFoot>
      </Form>
    </Dialog>
  );
}

type Subject = Pick<UserActionsProps, 'environment' | 'user'>;

async function deleteUser(
  { environment, user }: Subject,
  identifier: string,
  why: object,
): Promise<ActionResult> {
  const address = path`/api/${environment}/users/${user}/delete`;
  await call(address, { body: { identifier, ...why } });
  return { tookEffect: true, revision: 0 };
}

/** Sends a command for the flow, or puts the user back to where they were at a step. */
async function moveUser(
  { environment, user, target, at, action }: ActionDialogProps,
  why: object,
): Promise<ActionResult> {
  const { flow, version } = target!;
  const base = path`/api/${environment}/users/${user}/flows/${flow}`;
  return action === 'restore'
    ? call<ActionResult>(`${base}/restore`, { body: { version, revision: at, ...why } })
    : call<ActionResult>(`${base}/command`, { body: { version, intent: action, ...why } });
}

interface UndoProps {
  environment: string;
  user: string;
  target: Target;
  done: { action: Action; revision: number };
  onEnd: () => void;
}

/** Offered until something else happens to the state. */
function Undo({ environment, user, target: { flow, version, revision }, done, onEnd }: UndoProps) {
  const doing = useDoing();
  if (revision > done.revision) return null;
  const undo = () =>
    doing.run(async () => {
      const body = {
        ...{ version, revision: done.revision - 1, undoes: done.revision },
        reason: `undo of ${done.action}`,
      };
      await call(`${path`/api/${environment}/users/${user}/flows/${flow}`}/restore`, { body });
      onEnd();
    });
  return (
    <div class="note good" role="status">
      <p>{WORDS[done.action].title}: done.</p>
      <button type="button" disabled={doing.isBusy} onClick={() => void undo()}>
        Undo
      </button>
      <Doing of={doing} />
    </div>
  );
}
