import type { FlowReport } from '@waymark/domain/analysis';
import { countText } from '../controls/time.js';

/** As long as a part of the whole. */
export function Bar({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : Math.min(100, (100 * part) / whole);
  return (
    <div class="bar" aria-hidden="true">
      <span
        ref={(bar) => {
          if (bar) bar.style.width = `${percent}%`;
        }}
      />
    </div>
  );
}

/** The flow in four numbers. */
export function Figures({
  report: { started, inProgress, finished, stopped },
}: {
  report: FlowReport;
}) {
  return (
    <div class="figures four">
      {Object.entries({ started, 'in progress': inProgress, finished, stopped }).map(
        ([name, count]) => (
          <div key={name} class="figure">
            <b>{countText(count)}</b>
            <span class="faint">{name}</span>
          </div>
        ),
      )}
    </div>
  );
}
