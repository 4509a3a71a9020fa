import type { DayReport, FlowReport } from '@waymark/domain/analysis';
import { type Column, Table } from '../controls/table.js';
import { countText } from '../controls/time.js';
import { Bar } from './figures.js';

/** Days that are shown, the latest first. */
const SHOWN = 30;

/** How many users started and finished on each day (T18). */
export function ByDay({ report: { days, followed, users, started } }: { report: FlowReport }) {
  if (days.length === 0) return null;
  const most = Math.max(...days.map(({ started, finished }) => Math.max(started, finished)));
  const isSample = followed < users;
  const earlier = started - days.reduce((sum, day) => sum + day.started, 0);
  const counted = (title: string, flag: 'started' | 'finished'): Column<DayReport> => ({
    title,
    isNumber: true,
    cell: (row) => (
      <>
        {countText(row[flag])}
        <Bar part={row[flag]} whole={most} />
      </>
    ),
  });
  return (
    <section class="stack close" aria-label="By day">
      <h2>By day</h2>
      <Table
        rows={days.slice(-SHOWN).reverse()}
        keyOf={({ day }) => day}
        columns={[
          { title: 'Day (UTC)', isHead: true, cell: ({ day }) => day },
          counted('Started', 'started'),
          counted('Finished', 'finished'),
        ]}
      />
      {(days.length > SHOWN || isSample || earlier > 0) && (
        <p class="faint small">
          {days.length > SHOWN && `The last ${SHOWN} of ${days.length} days. `}
          {isSample
            ? `Counted from the events of ${countText(followed)} users.`
            : earlier > 0 &&
              `${countText(earlier)} more had started earlier: in an older version, or before the events that are kept.`}
        </p>
      )}
    </section>
  );
}
