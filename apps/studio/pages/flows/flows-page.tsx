import { dateWithZone } from '@waymark/domain/flow-files/text';
import { useState } from 'preact/hooks';
import type { EnvironmentLine } from '../../src/environments/environment-views.js';
import type { FlowLine, InProgress } from '../../src/flows/flow-views.js';
import { path } from '../api/call.js';
import { Link } from '../controls/link.js';
import { Empty, type Loaded, Shown, Trouble, useAgain, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, agoText, countText } from '../controls/time.js';
import { choose, query, to } from '../router/router.js';
import { mayEdit } from '../session/session.js';
import { NewFlow } from './new-flow.js';

/** Users are counted once a minute at most, for all who look. */
const FOLLOW_MS = 30_000;

/** All flows: what there is, what is unfinished, where users are (T7). */
export function FlowsPage({ environment }: { environment: string }) {
  const [isNew, setNew] = useState(false);
  const flows = useAnswer<{ flows: FlowLine[] }>(path`/api/${environment}/flows`);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Flows</h1>
          <p class="faint">What your application leads its users through.</p>
        </div>
        {mayEdit.value && (
          <button type="button" class="filled" onClick={() => setNew(true)}>
            New flow
          </button>
        )}
      </div>
      {isNew && (
        <NewFlow
          environment={environment}
          taken={(flows.value?.flows ?? []).map(({ flow }) => flow)}
          onClose={() => setNew(false)}
        />
      )}
      <Shown of={flows} what="the flows">
        {({ flows: rows }) => <FlowList rows={rows} environment={environment} />}
      </Shown>
    </>
  );
}

/** The flows that the search finds; archived ones on request. */
function FlowList({ rows, environment }: { rows: FlowLine[]; environment: string }) {
  const search = query.value.get('search') ?? '';
  const inProgress = useAnswer<InProgress>(path`/api/${environment}/in-progress`);
  useAgain(inProgress, FOLLOW_MS);
  const matching = rows.filter((row) => matches(row, search));
  const present = matching.filter((row) => !row.archived);
  const archived = matching.filter((row) => row.archived);
  if (rows.length === 0)
    return (
      <Empty title="No flows yet">
        <p>
          A flow leads a user through modals, checklists, tours and hints, and remembers where they
          are.
        </p>
      </Empty>
    );
  return (
    <div class="stack">
      <Search value={search} />
      {present.length > 0 ? (
        <div class="stack close">
          <FlowTable rows={present} environment={environment} inProgress={inProgress.value} />
          <CountedWhen inProgress={inProgress} />
        </div>
      ) : (
        <Empty title="Nothing found">
          <p>No flow has “{search}” in its name or identifier.</p>
        </Empty>
      )}
      {archived.length > 0 && <Archived rows={archived} environment={environment} />}
    </div>
  );
}

/** The search text is in the URL. */
function Search({ value }: { value: string }) {
  return (
    <div class="toolbar">
      <label class="field wide">
        <span class="unseen">Search flows</span>
        <input
          type="search"
          placeholder="Search by name or identifier"
          value={value}
          onInput={({ currentTarget }) =>
            choose({ search: currentTarget.value || undefined }, { replace: true })
          }
        />
      </label>
    </div>
  );
}

function Archived({ rows, environment }: { rows: FlowLine[]; environment: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="stack close">
      <button
        type="button"
        class="linklike"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide' : 'Show'} {rows.length} archived
      </button>
      {isOpen && <FlowTable rows={rows} environment={environment} inProgress={undefined} />}
    </div>
  );
}

function CountedWhen({ inProgress: { value, error, reload } }: { inProgress: Loaded<InProgress> }) {
  if (error !== undefined)
    return <Trouble text={`Users in progress could not be counted. ${error}`} onRetry={reload} />;
  return (
    <p class="faint small">
      {value
        ? `Users in progress were counted ${agoText(new Date(value.at), Date.now())}.`
        : 'Users in progress are being counted …'}
    </p>
  );
}

function matches({ flow, name }: FlowLine, words: string): boolean {
  const text = `${flow} ${name ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface TableProps {
  rows: FlowLine[];
  environment: string;
  inProgress: InProgress | undefined;
}

function FlowTable({ rows, environment, inProgress }: TableProps) {
  const environments = useAnswer<{ lines: EnvironmentLine[] }>('/api/environments').value?.lines;
  const isReleasing = environments?.some(
    ({ name, releasesByPin }) => name === environment && releasesByPin,
  );
  const columns: Column<FlowLine>[] = [
    {
      title: 'Flow',
      isHead: true,
      cell: ({ flow, name, archived }) => (
        <div class={archived ? 'flow-name archived' : 'flow-name'}>
          <Link to={to(environment, 'flows', flow)}>{name ?? flow}</Link>
          {name !== null && <code class="faint">{flow}</code>}
        </div>
      ),
    },
    {
      title: 'Version',
      cell: (row) => (
        <VersionOf row={row} environment={environment} isReleasing={isReleasing === true} />
      ),
    },
    {
      title: 'Changed',
      isFaint: true,
      isForWide: true,
      cell: ({ updatedAt }) => <Ago at={updatedAt} />,
    },
    {
      title: 'In progress',
      isNumber: true,
      cell: ({ flow }) => <InProgressOf flow={flow} inProgress={inProgress} />,
    },
  ];
  return <Table rows={rows} keyOf={({ flow }) => flow} columns={columns} />;
}

function VersionOf({
  row: { latest, differs, pins, end },
  environment,
  isReleasing,
}: {
  row: FlowLine;
  environment: string;
  isReleasing: boolean;
}) {
  return (
    <div class="row">
      {latest === null ? <span class="chip">not published</span> : <span>{`v${latest}`}</span>}
      {latest !== null && differs && <span class="chip accent">draft differs</span>}
      {end !== null && <span class="chip">ends {dateWithZone(end)}</span>}
      <ReleaseChip pinned={pins[environment]} latest={latest} isReleasing={isReleasing} />
    </div>
  );
}

/** What `latest` is here, where that is not the newest version by itself (S34, Z10). */
function ReleaseChip({
  pinned,
  latest,
  isReleasing,
}: {
  pinned: number | undefined;
  latest: number | null;
  isReleasing: boolean;
}) {
  if (pinned === undefined)
    return isReleasing && latest !== null ? <span class="chip warn">not released</span> : null;
  if (!isReleasing) return <span class="chip warn">held at v{pinned}</span>;
  return <span class={pinned === latest ? 'chip' : 'chip warn'}>released: v{pinned}</span>;
}

function InProgressOf({ flow, inProgress }: { flow: string; inProgress: InProgress | undefined }) {
  if (!inProgress) return <span class="faint">…</span>;
  if (!inProgress.counts) return <span class="faint">too many to count at once</span>;
  return <>{countText(inProgress.counts[flow] ?? 0)}</>;
}
