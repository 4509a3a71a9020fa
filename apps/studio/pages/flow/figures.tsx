import type { FlowReport } from '@waymark/domain/impact';
import { countText } from '../controls/time.js';

/** The flow in four numbers. */
export function Figures({ report: { started, inProgress, finished, stopped } }: { report: FlowReport }) {
  return (
    <div class="figures four">
      {Object.entries({ started, 'in progress': inProgress, finished, stopped }).map(([name, count]) => (
        <div key={name} class="figure">
          <b>{countText(count)}</b>
          <span class="faint">{name}</span>
        </div>
      ))}
    </div>
  );
}
