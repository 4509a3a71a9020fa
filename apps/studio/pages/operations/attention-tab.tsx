import type { AttentionFile, CheckedAttention } from '../../src/shared-files/shared-file-views.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { SharedFile } from '../controls/shared-file.js';
import { useFlowNames } from '../controls/use-flow-names.js';

type NameOf = ReturnType<typeof useFlowNames>;

const EXAMPLE = `groups:
  announcements:
    at-once: 1
    limit: { starts: 2, per: 7 days }
    pause: 1 day
    idle: 14 days`;

/**
 * Groups of flows that take turns in starting by themselves, as the one file that they are (Q1).
 */
export function AttentionTab({ environment }: { environment: string }) {
  const found = useAnswer<AttentionFile>('/api/attention');
  const nameOf = useFlowNames(environment);
  return (
    <div class="stack">
      <p class="faint">
        Flows of a group take turns in starting by themselves. The file applies to all environments.
      </p>
      <Shown of={found} what="the attention groups">
        {(file) => (
          <>
            <Naming file={file} nameOf={nameOf} />
            <SharedFile
              key={file.sha256}
              file={file}
              address="/api/attention"
              label="Groups"
              example={EXAMPLE}
              title="Apply the attention groups"
              what="groups"
              describe={(checked: CheckedAttention) => (
                <NotWaiting checked={checked} nameOf={nameOf} />
              )}
              onDone={found.reload}
            />
          </>
        )}
      </Shown>
    </div>
  );
}

/** Which flows are in which group, as their files say. */
function Naming({ file: { groups }, nameOf }: { file: AttentionFile; nameOf: NameOf }) {
  if (groups.length === 0) return <p>No flow is in a group.</p>;
  return (
    <ul class="list">
      {groups.map(({ group, flows, isKnown }) => (
        <li key={group}>
          <b>{group}</b>: {flows.map(nameOf).join(', ') || 'no flow'}{' '}
          {!isKnown && <span class="chip warn">not in the file, so nothing waits</span>}
        </li>
      ))}
    </ul>
  );
}

/** Groups that flows name, and that would be gone. */
function NotWaiting({
  checked: { named = [] },
  nameOf,
}: {
  checked: CheckedAttention;
  nameOf: NameOf;
}) {
  return (
    <>
      {named.map(({ group, flows }) => (
        <p class="note warn" key={group}>
          {flows.map(nameOf).join(', ')} will not wait any more:{' '}
          {flows.length === 1 ? 'it names' : 'they name'} {group}, which this removes.
        </p>
      ))}
    </>
  );
}
