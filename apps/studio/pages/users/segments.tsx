import type { CheckedSegments, SegmentsFile } from '../../src/shared-files/shared-file-views.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { SharedFile } from '../controls/shared-file.js';
import { useFlowNames } from '../controls/use-flow-names.js';
import { SegmentRows } from './segment-rows.js';

const EXAMPLE = `segments:
  pro: user.properties.plan == "pro"
  pro-admins: segment("pro") AND user.properties.role == "admin"`;

type NameOf = ReturnType<typeof useFlowNames>;

/** Conditions with names, as rows or as the one file that they are (Z6). A chunk of its own. */
export default function Segments({ environment }: { environment: string }) {
  const found = useAnswer<SegmentsFile>('/api/segments');
  const nameOf = useFlowNames(environment);
  return (
    <div class="stack">
      <p class="faint">
        A segment is a condition with a name, which other conditions mention. Segments are the same
        in all environments.
      </p>
      <Shown of={found} what="the segments">
        {(file) => (
          <SharedFile
            key={file.sha256}
            file={file}
            address="/api/segments"
            label="Segments"
            example={EXAMPLE}
            title="Apply the segments"
            what="segments"
            form={(text, onChange) => (
              <SegmentRows {...{ environment, text, onChange }} flowsOf={flowsOf(file, nameOf)} />
            )}
            describe={(checked: CheckedSegments) => (
              <NextCommits checked={checked} nameOf={nameOf} />
            )}
            onDone={found.reload}
          />
        )}
      </Shown>
    </div>
  );
}

const flowsOf = ({ segments }: SegmentsFile, nameOf: NameOf): Map<string, string[]> =>
  new Map(segments.map(({ segment, flows }) => [segment, flows.map(nameOf)]));

/** Published versions keep what segments meant. */
function NextCommits({
  checked: { difference },
  nameOf,
}: {
  checked: CheckedSegments;
  nameOf: NameOf;
}) {
  const { flows = [] } = difference ?? {};
  if (flows.length === 0) return null;
  return (
    <p class="note">
      Published versions keep what their segments meant. The next one would change for{' '}
      {flows.map(nameOf).join(', ')}; until then it is their draft that does.
    </p>
  );
}
