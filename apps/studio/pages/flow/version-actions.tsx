import { useState } from 'preact/hooks';
import type { FlowShown, ReleasePreview } from '../../src/flows/flow-views.js';
import { call, path, sentence } from '../api/call.js';
import { Confirm } from '../controls/dialog.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import type { Titles } from '../controls/titled.js';
import { countText } from '../controls/time.js';
import { go, to } from '../router/router.js';
import { lostInWords, MIGRATIONS, usersInWords } from './migrations.js';

type Act = 'pin' | 'unpin' | 'release' | 'revert';

interface VersionActionsProps {
  environment: string;
  shown: FlowShown;
  version: number;
  onChange: () => void;
}

/**
 * What can be done with a version that is published: hold the environment at it, or go on editing
 * from it (T16).
 */
export function VersionActions({ environment, shown, version, onChange }: VersionActionsProps) {
  const [act, setAct] = useState<Act>();
  const isPinned = shown.pins[environment] === version;
  return (
    <div class="row">
      {shown.releasesByPin ? (
        <button type="button" disabled={isPinned} onClick={() => setAct('release')}>
          {isPinned ? `Released to ${environment}` : `Release to ${environment}…`}
        </button>
      ) : (
        <button type="button" onClick={() => setAct(isPinned ? 'unpin' : 'pin')}>
          {isPinned ? 'Release the hold…' : `${holdTitle(shown, version, environment)}…`}
        </button>
      )}
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

/** Whether users of the environment would go back to it. */
const isEarlier = ({ latest }: FlowShown, version: number): boolean =>
  latest !== null && version < latest;

const holdTitle = (shown: FlowShown, version: number, environment: string): string =>
  isEarlier(shown, version)
    ? `Roll ${environment} back to ${version}`
    : `Hold ${environment} at ${version}`;

interface AskProps extends VersionActionsProps {
  act: Act;
  onClose: () => void;
}

function Ask({ environment, shown, version, act, onClose, onChange }: AskProps) {
  const { flow } = shown;
  const { title, consequence, warning, button } = WORDS[act](shown, version, environment);
  const submit = async (): Promise<void> => {
    await call(`${path`/api/${environment}/flows/${flow}/`}${act === 'release' ? 'pin' : act}`, {
      body: act === 'unpin' ? {} : { version },
    });
    if (act === 'revert') return go(to(environment, 'flows', flow, 'edit'));
    onClose();
    onChange();
  };
  return (
    <Confirm title={title} button={button} onClose={onClose} onConfirm={submit}>
      <p>{consequence}</p>
      {warning && <p class="note warn">{warning}</p>}
      {act === 'release' && <Released {...{ environment, flow, version }} titles={shown.titles} />}
    </Confirm>
  );
}

/** What it does to users, before it is done (Z10). */
function Released({
  environment,
  flow,
  version,
  titles,
}: {
  environment: string;
  flow: string;
  version: number;
  titles: Titles;
}) {
  const asked = `${path`/api/${environment}/flows/${flow}/release`}?version=${version}`;
  return (
    <Shown of={useAnswer<ReleasePreview>(asked)} what="what this does to users">
      {({ differences, migration, users, sampled }) => (
        <section class="stack close">
          <ul class="difference">
            {differences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>
            {MIGRATIONS[migration].long}{' '}
            <span class="faint">
              {sentence(
                (sampled === undefined ? '' : `of the first ${countText(sampled)} users, `) +
                  usersInWords(users),
              )}
            </span>
          </p>
          {users.losing > 0 && <p class="note warn">{lostInWords(users, titles)}</p>}
        </section>
      )}
    </Shown>
  );
}

interface Words {
  title: string;
  consequence: string;
  warning?: string | false;
  button: string;
}

const WORDS: Readonly<
  Record<Act, (shown: FlowShown, version: number, environment: string) => Words>
> = {
  pin: (shown, version, environment) => ({
    title: holdTitle(shown, version, environment),
    consequence: `Applications that ask for the latest version of ${shown.name ?? shown.flow} get version ${version} within a second, whatever is published later, until you release the hold. Users are back where they were in that version.`,
    warning:
      shown.highest !== null &&
      version < shown.highest &&
      'Users who are in a newer version already go on there once the hold is released.',
    button: isEarlier(shown, version) ? `Roll back to ${version}` : `Hold at ${version}`,
  }),
  release: ({ flow, name, pins }, version, environment) => ({
    title: `Release ${version} to ${environment}`,
    consequence: `Applications that ask for the latest version of ${name ?? flow} get version ${version} within a second${pins[environment] === undefined ? '' : `, in place of version ${pins[environment]}`}.`,
    warning:
      version < (pins[environment] ?? 0) &&
      'Users are back where they were in that version. Users who are in a newer version go on there once that is released again.',
    button: `Release ${version}`,
  }),
  unpin: ({ flow, name, highest }, _version, environment) => ({
    title: `Release the hold on ${environment}`,
    consequence: `Applications that ask for the latest version of ${name ?? flow} get version ${highest} again within a second, and users meet it as it says for them.`,
    button: 'Release the hold',
  }),
  revert: ({ flow, name, differs, highest }, version) => ({
    title: `Edit ${name ?? flow} from version ${version}`,
    consequence: `The draft becomes version ${version} again, as it was written. Nothing is published, and users notice nothing.`,
    warning: differs && `The present draft differs from version ${highest}. Its changes are lost.`,
    button: 'Edit from this version',
  }),
};
