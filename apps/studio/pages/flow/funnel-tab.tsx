import type { BlockReport, FlowReport } from '@waymark/domain/analysis';
import type { FlowDefinition } from '@waymark/domain/engine';
import { Empty, Trouble } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { countText, lengthText, shareText } from '../controls/time.js';
import { choose, query } from '../router/router.js';
import { Titled, type Titles } from '../controls/titled.js';
import { Counting } from './counting.js';
import { csvOf } from './csv.js';
import { Answers } from './answers.js';
import { ByDay } from './by-day.js';
import { Bar, Figures } from './figures.js';
import { GoalFigures } from './goal-figures.js';
import { chosenSegment, SegmentChoice } from './segment-choice.js';
import { chosenSince, SinceChoice } from './since.js';
import { Splits } from './split-figures.js';
import { type Scope, useReport } from './use-report.js';

interface FunnelTabProps {
  environment: string;
  flow: string;
  version: number;
  /** All of the flow that were published. */
  versions: readonly number[];
  definition: FlowDefinition;
  /** Of blocks and items, by identifier. */
  titles: Titles;
}

/** How far users come, block by block (E13), beside another version where one is chosen (T18). */
export function FunnelTab({
  environment,
  flow,
  version,
  versions,
  definition,
  titles,
}: FunnelTabProps) {
  const scope = { environment, flow, version, since: chosenSince(), segment: chosenSegment() };
  const counted = useReport(scope);
  const other = versions.find((one) => String(one) === query.value.get('beside'));
  const beside = useReport(other === undefined ? undefined : { ...scope, version: other });
  const { error, sofar, reload } = counted;
  const value = counted.value?.report;
  return (
    <div class="stack">
      <div class="row apart">
        <div class="row">
          <SinceChoice />
          <SegmentChoice />
          <BesideChoice versions={versions.filter((one) => one !== version)} chosen={other} />
        </div>
        {value && value.users > 0 && (
          <button type="button" onClick={() => download(`${flow}-${version}.csv`, csvOf(value))}>
            Download CSV
          </button>
        )}
      </div>
      {error !== undefined && <Trouble text={error} onRetry={reload} />}
      {value ? (
        <>
          <Funnel report={value} beside={beside.value?.report} titles={titles} scope={scope} />
          {value.users > 0 && <Splits definition={definition} titles={titles} scope={scope} />}
          <Answers
            key={version}
            environment={environment}
            flow={flow}
            version={version}
            report={value}
            titles={titles}
          />
        </>
      ) : (
        error === undefined && <Counting sofar={sofar} />
      )}
    </div>
  );
}

interface BesideChoiceProps {
  versions: readonly number[];
  chosen: number | undefined;
}

function BesideChoice({ versions, chosen }: BesideChoiceProps) {
  if (versions.length === 0) return null;
  return (
    <label class="inline-field">
      <span class="faint">Compare with</span>
      <select
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ currentTarget }) =>
          choose({ beside: currentTarget.value || undefined }, { replace: true })
        }
      >
        <option value="">no other version</option>
        {versions.map((one) => (
          <option key={one} value={String(one)}>
            {`version ${one}`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FunnelProps {
  scope: Scope;
  report: FlowReport;
  /** Of another version. */
  beside: FlowReport | undefined;
  titles: Titles;
}

function Funnel({ report, beside, titles, scope }: FunnelProps) {
  if (report.users === 0)
    return (
      <Empty
        title={`Nobody ${chosenSegment() === '' ? '' : 'in this segment '}has met this version ${chosenSince() === '' ? 'yet' : 'in that time'}`}
      >
        <p>As soon as the application asks for this flow for a user, the funnel begins here.</p>
      </Empty>
    );
  return (
    <>
      <section class="card stack">
        {beside && <h3>Version {report.version}</h3>}
        <Figures report={report} />
        <GoalFigures report={report} scope={scope} />
      </section>
      {beside && (
        <section class="card stack">
          <h3>Version {beside.version}</h3>
          <Figures report={beside} />
          <GoalFigures report={beside} scope={{ ...scope, version: Number(beside.version) }} />
        </section>
      )}
      {report.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {report.sampled && (
        <p class="note">
          Counted for {countText(report.sampled.users)} users; shares are off by{' '}
          {Math.round(report.sampled.margin * 100)} points at most, in 95 of 100 samples.
        </p>
      )}
      <Table
        rows={report.blocks}
        keyOf={({ block }) => block}
        columns={columnsOf(report, beside, titles)}
      />
      <p class="faint small">
        Lost are users who reached a block, are not there any more and left it by no path: the flow
        has ended for them, or the list around the block was left.
      </p>
      <ByDay report={report} />
    </>
  );
}

const columnsOf = (
  { started }: FlowReport,
  beside: FlowReport | undefined,
  titles: Titles,
): Column<BlockReport>[] => [
  {
    title: 'Block',
    isHead: true,
    cell: (row) => <Reached row={row} started={started} titles={titles} />,
  },
  {
    title: 'Reached',
    isNumber: true,
    cell: ({ reached }) => (
      <>
        {countText(reached)} <span class="faint">{shareText(reached, started)}</span>
      </>
    ),
  },
  ...(beside ? [reachedBeside(beside)] : []),
  { title: 'There now', isNumber: true, cell: ({ now }) => countText(now) },
  {
    title: 'Left by',
    isLong: true,
    cell: ({ left }) => (
      <div class="row">
        {Object.entries(left).map(([name, count]) => (
          <span key={name} class="chip">
            {name} {countText(count)}
          </span>
        ))}
      </div>
    ),
  },
  { title: 'Lost', isNumber: true, cell: ({ lost }) => countText(lost) },
  {
    title: 'Median / 90th percentile',
    isNumber: true,
    isFaint: true,
    cell: ({ seconds: { median, p90 } }) =>
      median === null ? '–' : `${lengthText(median)} / ${lengthText(p90 ?? median)}`,
  },
];

/** The same block in another version, which has the same identifier there. */
const reachedBeside = ({ version, started, blocks }: FlowReport): Column<BlockReport> => ({
  title: `Reached in version ${version}`,
  isNumber: true,
  cell: ({ block }) => {
    const there = blocks.find((one) => one.block === block);
    if (!there) return <span class="faint">not there</span>;
    return (
      <>
        {countText(there.reached)} <span class="faint">{shareText(there.reached, started)}</span>
      </>
    );
  },
});

/** The name, with a bar as long as the share of those who came here. */
function Reached({
  row: { block, container, reached },
  started,
  titles,
}: {
  row: BlockReport;
  started: number;
  titles: Titles;
}) {
  return (
    <div class={container && 'inner'}>
      <Titled id={block} titles={titles} />
      <Bar part={reached} whole={started} />
    </div>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
