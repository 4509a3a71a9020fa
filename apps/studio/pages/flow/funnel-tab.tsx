import type { BlockReport, FlowReport } from '@waymark/domain/impact';
import { Empty, Trouble } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { countText, lengthText, shareText } from '../controls/time.js';
import { Counting } from './counting.js';
import { csvOf } from './csv.js';
import { Figures } from './figures.js';
import { chosenSince, SinceChoice } from './since.js';
import { useReport } from './use-report.js';

interface FunnelTabProps {
  environment: string;
  flow: string;
  version: number;
}

/** How far users come, block by block (E13). */
export function FunnelTab({ environment, flow, version }: FunnelTabProps) {
  const counted = useReport({ environment, flow, version, since: chosenSince() });
  const { error, sofar, reload } = counted;
  const value = counted.value?.report;
  return (
    <div class="stack">
      <div class="row apart">
        <SinceChoice />
        {value && value.users > 0 && (
          <button type="button" onClick={() => download(`${flow}-${version}.csv`, csvOf(value))}>
            Download CSV
          </button>
        )}
      </div>
      {error !== undefined && <Trouble text={error} onRetry={reload} />}
      {value ? <Funnel report={value} /> : error === undefined && <Counting sofar={sofar} />}
    </div>
  );
}

function Funnel({ report }: { report: FlowReport }) {
  if (report.users === 0)
    return (
      <Empty title={`Nobody has met this version ${chosenSince() === '' ? 'yet' : 'in that time'}`}>
        <p>As soon as the application reads it for a user, the funnel begins here.</p>
      </Empty>
    );
  return (
    <>
      <section class="card">
        <Figures report={report} />
      </section>
      {report.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {report.sampled && (
        <p class="note">
          Counted for {countText(report.sampled.users)} users; shares are off by {Math.round(report.sampled.margin * 100)} points
          at most, in 95 of 100 samples.
        </p>
      )}
      <Table rows={report.blocks} keyOf={({ block }) => block} columns={columnsOf(report)} />
    </>
  );
}

const columnsOf = ({ started }: FlowReport): Column<BlockReport>[] => [
  { title: 'Block', isHead: true, cell: (row) => <Reached row={row} started={started} /> },
  {
    title: 'Reached',
    isNumber: true,
    cell: ({ reached }) => (
      <>
        {countText(reached)} <span class="faint">{shareText(reached, started)}</span>
      </>
    ),
  },
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
    title: 'Time, half / 9 of 10',
    isNumber: true,
    isFaint: true,
    cell: ({ seconds: { median, p90 } }) => (median === null ? '–' : `${lengthText(median)} / ${lengthText(p90 ?? median)}`),
  },
];

/** The name, with a bar as long as the share of those who came here. */
function Reached({ row: { block, container, reached }, started }: { row: BlockReport; started: number }) {
  return (
    <div class={container && 'inner'}>
      {block}
      <div class="bar" aria-hidden="true">
        <span
          ref={(bar) => {
            if (bar) bar.style.width = `${percent(reached, started)}%`;
          }}
        />
      </div>
    </div>
  );
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.min(100, (100 * part) / whole));

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
