import { useState } from 'preact/hooks';
import type { MigrationStrategy } from '@waymark/domain/engine';
import type { CommitPreview } from '../../src/edit/edit-views.js';
import { call, path } from '../api/call.js';
import { Dialog } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Check, Form, TextInput } from '../controls/form.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { countText } from '../controls/time.js';
import { MIGRATIONS } from '../flow/migrations.js';
import { go, to } from '../place/place.js';

interface CommitDialogProps {
  environment: string;
  flow: string;
  /** Number of the version that this makes. */
  next: number;
  onClose: () => void;
}

/** What would be committed, what it means for users who are in an older version, and why it is done. */
export function CommitDialog({ environment, flow, next, onClose }: CommitDialogProps) {
  const [message, setMessage] = useState('');
  const [migration, setMigration] = useState<MigrationStrategy>('carry-over');
  const doing = useDoing();
  const preview = useAnswer<CommitPreview>(path`/api/${environment}/flows/${flow}/preview`);
  const isSame = preview.value !== undefined && hasNothingNew(preview.value);
  const commit = () =>
    doing.run(async () => {
      await call(path`/api/${environment}/flows/${flow}/commit`, { body: { message, migration } });
      go(to(environment, 'flows', flow));
    });
  return (
    <Dialog title={`Commit ${flow}`} onClose={onClose} wide>
      <Form onSubmit={commit}>
        <Shown of={preview} what="what would be committed">
          {(shown) => <Preview preview={shown} migration={migration} onChoose={setMigration} />}
        </Shown>
        {!isSame && <TextInput label="What does this change?" value={message} maxLength={1_000} onInput={setMessage} required />}
        <Doing of={doing} />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            {isSame ? 'Close' : 'Not yet'}
          </button>
          {!isSame && (
            <button type="submit" class="filled" disabled={doing.isBusy || message.trim() === ''}>
              Commit version {preview.value ? (preview.value.latest ?? 0) + 1 : next}
            </button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

const hasNothingNew = ({ latest, differences }: CommitPreview): boolean => latest !== null && differences.length === 0;

interface PreviewProps {
  preview: CommitPreview;
  migration: MigrationStrategy;
  onChoose: (migration: MigrationStrategy) => void;
}

function Preview({ preview, migration, onChoose }: PreviewProps) {
  const { differences, latest, pinned } = preview;
  if (hasNothingNew(preview)) return <p>Nothing differs from version {latest}, so that there is nothing to commit.</p>;
  return (
    <>
      {pinned !== undefined && (
        <p class="note warn">
          This environment pins version {pinned}: its users do not meet the commit before the flow is unpinned.
        </p>
      )}
      <section class="stack close">
        <h3>{latest === null ? 'The first version' : `Differences from version ${latest}`}</h3>
        {latest === null && <p>Users who qualify meet it from the commit on, in every environment.</p>}
        <ul class="difference">
          {differences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
      {latest !== null && (
        <fieldset class="stack close">
          <legend class="field-label">Users with an older version</legend>
          {(Object.keys(MIGRATIONS) as MigrationStrategy[]).map((strategy) => (
            <Check
              key={strategy}
              type="radio"
              name="migration"
              checked={migration === strategy}
              onChange={() => onChoose(strategy)}
            >
              {MIGRATIONS[strategy].long} <span class="faint">{effectOf(preview, strategy)}</span>
            </Check>
          ))}
          <p class="faint small">
            {preview.sampled === undefined
              ? 'Users of this environment'
              : `The first ${countText(preview.sampled)} users of this environment`}
            , when they meet it; the commit is live in every environment. Applications that ask for a fixed version never meet it.
          </p>
        </fieldset>
      )}
    </>
  );
}

/** What a strategy does to users, in a few words. */
function effectOf({ plans }: CommitPreview, strategy: MigrationStrategy): string {
  const users = plans[strategy];
  if (!users || users.total === 0) return 'nobody is in an older one';
  const lost = Object.values(users.lost).reduce((sum, count) => sum + count, 0);
  const happens = [
    [users.kept, 'keep their place'],
    [users.restarted, 'start again'],
    [users.stopped, 'are stopped'],
    [users.finished, 'are finished by it'],
    [lost, 'lose the block they are in'],
    [users.dependsOnGroup, 'depend on their group'],
  ] as const;
  return happens.flatMap(([count, words]) => (count > 0 ? `${countText(count)} ${words}` : [])).join(', ');
}
