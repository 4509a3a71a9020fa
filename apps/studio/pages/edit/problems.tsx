import { useMemo } from 'preact/hooks';
import type { FileProblem } from '@waymark/domain/flow-files';
import type { FlowText, Place } from '@waymark/domain/flow-files/text';
import type { Editing } from './draft/editing.js';
import { partName } from './form/part-name.js';

interface ProblemsProps {
  editing: Editing;
  /** Whether the text is shown, which has lines. */
  isText: boolean;
  /** Shows the form, unless the text is shown. */
  onLead: () => void;
}

/** What is wrong with the text, each problem with its place, which it leads to. */
export function Problems({ editing, isText, onLead }: ProblemsProps) {
  const { checked, isChecking, source } = editing;
  const problems = useMemo(
    () => withPlaces(source.peek(), checked.value?.problems ?? []),
    [checked.value],
  );
  const lead = (place: Place): void => {
    if (place.length > 0) editing.lead(place);
    onLead();
  };
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
          {problems.map(({ line, column, message, severity, place, part }) => (
            <li key={`${line}:${column} ${message}`}>
              <span class={`chip ${severity === 'error' ? 'bad' : 'warn'}`}>
                {severity === 'error' ? 'error' : 'warning'}
              </span>{' '}
              <button
                type="button"
                class="linklike"
                title={`line ${line}`}
                onClick={() => lead(place)}
              >
                {isText ? `line ${line}` : part}
              </button>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface Placed extends FileProblem {
  place: Place;
  /** What the form calls it; its line while the text has no parts. */
  part: string;
}

function withPlaces(source: FlowText, problems: readonly FileProblem[]): Placed[] {
  const lines = source.text.split('\n');
  let end = 0;
  const starts = lines.map((line) => (end += line.length + 1) - line.length - 1);
  return problems.map((problem) => {
    const { line, column } = problem;
    if (!source.isSound) return { ...problem, place: [], part: `line ${line}` };
    const place = source.placeAt((starts[line - 1] ?? 0) + column - 1);
    return { ...problem, place, part: partName(source, place) };
  });
}
