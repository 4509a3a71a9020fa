import type { CheckedSegments, SegmentsFile } from '../../src/shared-files/shared-file-views.js';
import { Link } from '../controls/link.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { SharedFile } from '../controls/shared-file.js';

const EXAMPLE = `segments:
  pro: user.properties.plan == "pro"
  pro-admins: segment("pro") AND user.properties.role == "admin"`;

/** Conditions with names, as the one file that they are (Z6). A chunk of its own. */
export default function Segments() {
  const found = useAnswer<SegmentsFile>('/api/segments');
  return (
    <div class="stack">
      <p class="faint">
        A segment is a condition with a name, which other conditions mention. The file applies to
        all environments.
      </p>
      <Shown of={found} what="the segments">
        {(file) => (
          <>
            <Naming file={file} />
            <SharedFile
              key={file.sha256}
              file={file}
              address="/api/segments"
              label="Segments"
              example={EXAMPLE}
              title="Apply the segments"
              what="segments"
              told={(checked: CheckedSegments) => <NextCommits checked={checked} />}
              onDone={found.reload}
            />
          </>
        )}
      </Shown>
    </div>
  );
}

/** Who is in each, and which flows mention it. */
function Naming({ file: { segments } }: { file: SegmentsFile }) {
  if (segments.length === 0) return <p>There are no segments yet.</p>;
  return (
    <ul class="list">
      {segments.map(({ segment, flows }) => (
        <li key={segment}>
          <Link to={`${location.pathname}?by=condition&when=${whenOf(segment)}`}>{segment}</Link>:{' '}
          {flows.join(', ') || 'no flow'}
        </li>
      ))}
    </ul>
  );
}

const whenOf = (segment: string): string =>
  encodeURIComponent(`segment(${JSON.stringify(segment)})`);

/** Published versions keep what segments meant. */
function NextCommits({ checked: { difference } }: { checked: CheckedSegments }) {
  const { flows = [] } = difference ?? {};
  if (flows.length === 0) return null;
  return (
    <p class="note">
      Published versions keep what their segments meant. The next one would change for{' '}
      {flows.join(', ')}; until then it is their draft that does.
    </p>
  );
}
