import { useState } from 'preact/hooks';
import type { FlowShown } from '../../src/flows/flow-views.js';
import { call, path } from '../api/call.js';
import { Confirm } from '../controls/dialog.js';
import { go, to } from '../router/router.js';

type Act = 'pin' | 'unpin' | 'revert';

interface VersionActionsProps {
  environment: string;
  shown: FlowShown;
  version: number;
  onChange: () => void;
}

/** What can be done with a version that is published: hold the environment at it, or go on editing from it (T16). */
export function VersionActions({ environment, shown, version, onChange }: VersionActionsProps) {
  const [act, setAct] = useState<Act>();
  const isPinned = shown.pins[environment] === version;
  return (
    <div class="row">
      <button type="button" onClick={() => setAct(isPinned ? 'unpin' : 'pin')}>
        {isPinned ? 'Release the hold…' : `Hold ${environment} at ${version}…`}
      </button>
      <button type="button" onClick={() => setAct('revert')}>
        Edit from this version…
      </button>
      {act && (
        <Ask
          {...{ environment, shown, version, onChange, act }}
          onClose={() => setAct(undefined)}
        />
      )}
    </div>
  );
}

interface AskProps extends VersionActionsProps {
  act: Act;
  onClose: () => void;
}

function Ask({ environment, shown, version, act, onClose, onChange }: AskProps) {
  const { flow } = shown;
  const { title, told, warning, button } = WORDS[act](shown, version, environment);
  const submit = async (): Promise<void> => {
    await call(`${path`/api/${environment}/flows/${flow}/`}${act}`, {
      body: act === 'unpin' ? {} : { version },
    });
    if (act === 'revert') return go(to(environment, 'flows', flow, 'edit'));
    onClose();
    onChange();
  };
  return (
    <Confirm title={title} button={button} onClose={onClose} onConfirm={submit}>
      <p>{told}</p>
      {warning && <p class="note warn">{warning}</p>}
    </Confirm>
  );
}

interface Words {
  title: string;
  told: string;
  warning?: string | false;
  button: string;
}

const WORDS: Readonly<
  Record<Act, (shown: FlowShown, version: number, environment: string) => Words>
> = {
  pin: ({ flow, highest }, version, environment) => ({
    title: `Hold ${environment} at ${version}`,
    told: `Applications that ask for the latest version of ${flow} get version ${version} within a second, whatever is published later. Users find the place that they left in it.`,
    warning:
      highest !== null &&
      version < highest &&
      'Whoever is in a newer version already goes on there once the hold is released.',
    button: `Hold at ${version}`,
  }),
  unpin: ({ flow, highest }, _version, environment) => ({
    title: `Release the hold on ${environment}`,
    told: `Applications that ask for the latest version of ${flow} get version ${highest} again within a second, and users meet it as it says for them.`,
    button: 'Release',
  }),
  revert: ({ flow, name, differs, highest }, version) => ({
    title: `Edit ${name ?? flow} from version ${version}`,
    told: `The draft becomes version ${version} again, as it was written. Nothing is published, and users notice nothing.`,
    warning: differs && `What is in the draft now differs from version ${highest}, and is lost.`,
    button: 'Make it the draft',
  }),
};
