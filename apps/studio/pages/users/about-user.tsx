import type { UserShown } from '../../src/users/user-views.js';
import { Ago, At, countText } from '../controls/time.js';

/** Properties and groups of a user, and what they did. */
export function AboutUser({
  shown: { properties, groups, events, createdAt, updatedAt },
}: {
  shown: UserShown;
}) {
  return (
    <div class="about stack">
      <section>
        <h3>Properties</h3>
        <Properties text={properties} label="Properties of the user" />
      </section>
      {groups.length > 0 && (
        <section>
          <h3>Groups</h3>
          {groups.map((group) => (
            <details key={group.identifier} class="group" open={groups.length === 1}>
              <summary>{group.identifier}</summary>
              <Properties text={group.properties} label={`Properties of ${group.identifier}`} />
            </details>
          ))}
        </section>
      )}
      {events.length > 0 && <Events events={events} />}
      <p class="faint small">
        First identified <Ago at={createdAt} />, last <Ago at={updatedAt} />
      </p>
    </div>
  );
}

/** What the user did, by name (Z2). */
function Events({ events }: Pick<UserShown, 'events'>) {
  return (
    <section>
      <h3>What they did</h3>
      <table class="properties-table" aria-label="What the user did">
        <tbody>
          {events.map(({ name, count, last }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {countText(count)}, last <Ago at={last} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Properties({ text, label }: { text: string; label: string }) {
  const rows = rowsOf(text);
  if (!rows)
    return (
      <pre class="properties" tabIndex={0}>
        {text}
      </pre>
    );
  if (rows.length === 0) return <p class="faint small">None.</p>;
  return (
    <table class="properties-table" aria-label={label}>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <Value of={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Undefined where reading the text would change it, as it does numbers beyond 2^53. */
function rowsOf(text: string): [string, unknown][] | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const isExact = JSON.stringify(value) === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isExact ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Longer lists are shown as JSON. */
const MOST_CHIPS = 20;

/** A list of plain texts, such as roles, as one chip each. */
function Value({ of: value }: { of: unknown }) {
  if (isMoment(value)) return <At at={value} />;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MOST_CHIPS;
  if (!isList || !value.every(isPlainText)) return <>{valueText(value)}</>;
  return (
    <span class="row close">
      {value.map((text, place) => (
        <span key={place} class="chip">
          {text}
        </span>
      ))}
    </span>
  );
}

/** Whether it is a text that cannot be taken for something else. */
const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && !/^(true|false|null|-?\d[\d.eE+-]*|[[{"].*|\s*)$/s.test(value);

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

function valueText(value: unknown): string {
  if (isPlainText(value)) return value;
  const line = JSON.stringify(value);
  return line.length > 60 ? JSON.stringify(value, null, 1) : line;
}
