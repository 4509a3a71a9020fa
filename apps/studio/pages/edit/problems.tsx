import type { Editing } from './draft/editing.js';

/** What is wrong with the text, each problem with its place. */
export function Problems({ editing }: { editing: Editing }) {
  const { checked, isChecking } = editing;
  const problems = checked.value?.problems ?? [];
  return (
    <section class="card problems" aria-label="Problems" aria-busy={isChecking.value}>
      <h2>
        {problems.length === 0
          ? 'No problems'
          : problems.length === 1
            ? '1 problem'
            : `${problems.length} problems`}
      </h2>
      {problems.length > 0 && (
        <ul class="list">
          {problems.map(({ line, column, message, severity }) => (
            <li key={`${line}:${column} ${message}`}>
              <span class={`chip ${severity === 'error' ? 'bad' : 'warn'}`}>
                {severity === 'error' ? 'error' : 'warning'}
              </span>{' '}
              <button
                type="button"
                class="linklike"
                onClick={() =>
                  (editing.chosen.value = blockAt(editing, line) ?? editing.chosen.value)
                }
              >
                line {line}
              </button>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The block that a line belongs to. */
function blockAt({ source }: Editing, line: number): string | undefined {
  const { text } = source.value;
  const offset = text.split('\n').slice(0, line).join('\n').length;
  const keys = source.value.keys(['blocks']);
  return keys.findLast(
    (key) => (source.value.entry(['blocks', key])?.pair.key.range?.[0] ?? Infinity) < offset,
  );
}
