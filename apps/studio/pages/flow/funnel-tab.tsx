import type { FlowReport } from '@waymark/domain/impact';
import { Empty, Trouble } from '../controls/loaded.js';
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
      <div class="table-box" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Block</th>
              <th scope="col" class="number">
                Reached
              </th>
              <th scope="col" class="number">
                There now
              </th>
              <th scope="col">Left by</th>
              <th scope="col" class="number">
                Lost
              </th>
              <th scope="col" class="number">
                Time, half / 9 of 10
              </th>
            </tr>
          </thead>
          <tbody>
            {report.blocks.map((block) => (
              <tr key={block.block}>
                <th scope="row" class={block.container ? 'inner' : undefined}>
                  {block.block}
                  <div class="bar" aria-hidden="true">
                    <span
                      ref={(bar) => {
                        if (bar) bar.style.width = `${percent(block.reached, report.started)}%`;
                      }}
                    />
                  </div>
                </th>
                <td class="number">
                  {countText(block.reached)} <span class="faint">{shareText(block.reached, report.started)}</span>
                </td>
                <td class="number">{countText(block.now)}</td>
                <td>
                  <div class="row">
                    {Object.entries(block.left).map(([name, count]) => (
                      <span key={name} class="chip">
                        {name} {countText(count)}
                      </span>
                    ))}
                  </div>
                </td>
                <td class="number">{countText(block.lost)}</td>
                <td class="number faint">
                  {block.seconds.median === null
                    ? '–'
                    : `${lengthText(block.seconds.median)} / ${lengthText(block.seconds.p90 ?? block.seconds.median)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
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
