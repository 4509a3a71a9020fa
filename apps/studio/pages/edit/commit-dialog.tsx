import { useState } from 'preact/hooks';
import type { MigrationStrategy } from '@waymark/domain/engine';
import type { CommitPreview } from '../../src/edit/edit-views.js';
import { call, path } from '../api/call.js';
import { Dialog } from '../controls/dialog.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Check, Form, TextInput } from '../controls/form.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { countText } from '../controls/time.js';
import { lostInWords, MIGRATIONS, usersInWords } from '../flow/migrations.js';
import { go, to } from '../router/router.js';

interface CommitDialogProps {
  environment: string;
  flow: string;
  /** What people call it. */
  title: string;
  /** Number of the version that this makes. */
  next: number;
  onClose: () => void;
}

/**
 * What would be published, what it means for users who are in an older version, and why it is done.
 */
export function CommitDialog({ environment, flow, title, next, onClose }: CommitDialogProps) {
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
    <Dialog title={`Publish ${title}`} onClose={onClose} wide>
      <Form onSubmit={commit}>
        <Shown of={preview} what="what would be published">
          {(shown) => (
            <Preview
              environment={environment}
              preview={shown}
              migration={migration}
              onChoose={setMigration}
            />
          )}
        </Shown>
        {!isSame && (
          <TextInput
            label="What does this change?"
            value={message}
            maxLength={1_000}
            onInput={setMessage}
            required
          />
        )}
        <Doing of={doing} />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            {isSame ? 'Close' : 'Cancel'}
          </button>
          {!isSame && (
            <button type="submit" class="filled" disabled={doing.isBusy || message.trim() === ''}>
              Publish version {preview.value ? (preview.value.latest ?? 0) + 1 : next}
            </button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

const hasNothingNew = ({ latest, differences }: CommitPreview): boolean =>
  latest !== null && differences.length === 0;

interface PreviewProps {
  environment: string;
  preview: CommitPreview;
  migration: MigrationStrategy;
  onChoose: (migration: MigrationStrategy) => void;
}

function Preview({ environment, preview, migration, onChoose }: PreviewProps) {
  const { differences, latest, pinned, releasesByPin } = preview;
  const planned = preview.plans[migration];
  const losing = planned?.losing ?? 0;
  if (hasNothingNew(preview))
    return <p>Nothing differs from version {latest}, so there is nothing to publish.</p>;
  return (
    <>
      {releasesByPin && (
        <p class="note warn">
          {environment} releases versions one by one: its users do not get this version before it is
          released there{pinned !== undefined && `, and stay at version ${pinned} until then`}.
        </p>
      )}
      {pinned !== undefined && !releasesByPin && (
        <p class="note warn">
          {environment} is held at version {pinned}: its users do not get this version before the
          hold is released.
        </p>
      )}
      <section class="stack close">
        <h3>{latest === null ? 'The first version' : `Differences from version ${latest}`}</h3>
        {latest === null && (
          <p>
            Users who qualify see it from then on, in every environment, except where versions are
            released one by one.
          </p>
        )}
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
              {MIGRATIONS[strategy].long}{' '}
              <span class="faint">{usersInWords(preview.plans[strategy])}</span>
            </Check>
          ))}
          {losing > 0 && <p class="note warn">{lostInWords(planned!, preview.titles)}</p>}
          <p class="faint small">
            {preview.sampled === undefined
              ? 'Users of this environment'
              : `The first ${countText(preview.sampled)} users of this environment`}{' '}
            are counted, as they are when the application next asks. The version is live at once in
            every environment, except where another one is held or versions are released one by one.
            Applications that ask for a fixed version never get it.
          </p>
        </fieldset>
      )}
    </>
  );
}
