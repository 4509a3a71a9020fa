import { Options } from '../controls/options.js';
import { choose, query } from '../router/router.js';

const DAY_MS = 86_400_000;
const RANGES: Readonly<Record<string, string>> = {
  '': 'at any time',
  '1d': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
  '90d': 'in the last 90 days',
};
const DAY = 'day';

/** The period in the address, which limits who is counted: a range such as `7d`, or a day. */
export const chosenSince = (): string => query.value.get('since') ?? '';

/** The time that a choice means when it is requested; undefined for everybody. */
export function sinceTime(since: string, now = Date.now()): string | undefined {
  const days = /^(\d{1,4})d$/.exec(since)?.[1];
  if (days !== undefined) return new Date(now - Number(days) * DAY_MS).toISOString();
  // A day begins where the reader is.
  const day = /^\d{4}-\d\d-\d\d$/.test(since) ? new Date(`${since}T00:00`) : undefined;
  return day && !Number.isNaN(day.getTime()) ? day.toISOString() : undefined;
}

/** Chooses whose numbers are shown: users who met the flow since then. */
export function SinceChoice() {
  const since = chosenSince();
  const isDay = !Object.hasOwn(RANGES, since);
  const change = (next: string): void => {
    const today = new Date().toLocaleDateString('sv');
    choose({ since: (next === DAY ? today : next) || undefined }, { replace: true });
  };
  return (
    <div class="row">
      <label class="inline-field">
        <span class="faint">Users who entered</span>
        <select
          value={isDay ? DAY : since}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          <Options of={RANGES} />
          <option value={DAY}>since a day …</option>
        </select>
      </label>
      {isDay && (
        <input
          type="date"
          class="day"
          aria-label="Since this day"
          value={since}
          onChange={({ currentTarget }) =>
            choose({ since: currentTarget.value || undefined }, { replace: true })
          }
        />
      )}
    </div>
  );
}
