import type { ExplainedCondition, ExplainedPart } from '@waymark/domain/analysis';
import {
  COMPARISONS,
  type Group,
  JOINS,
  MEMBERSHIP,
  type Part,
  readRows,
  valueWords,
  wordsOf,
} from '@waymark/domain/targeting/rows';
import { Sentence } from '../controls/time.js';

interface ConditionShownProps {
  /** The condition as it is written. */
  text: string;
  /** What each of its parts comes to for one user. */
  explained?: ExplainedCondition;
}

/**
 * A condition to read, in the words in which its editor has it (T15); what rows cannot express
 * stays as it is written.
 */
export function ConditionShown({ text, explained }: ConditionShownProps) {
  const whole = readRows(text);
  if (!whole) return <pre class="wrapped">{text}</pre>;
  const partOf = (source: string): ExplainedPart | undefined => {
    if (!explained) return undefined;
    // A condition that is one comparison is explained by itself, and its parts are what is
    // compared.
    return countRows(whole) === 1 ? { ...explained, source } : findPart(explained.parts, source);
  };
  return <GroupShown {...{ text, partOf }} group={whole} />;
}

interface PartProps {
  text: string;
  partOf: (source: string) => ExplainedPart | undefined;
}

function GroupShown({ group, ...about }: PartProps & { group: Group }) {
  return (
    <div class="condition-shown" role="group" aria-label={JOINS[group.join]}>
      {group.parts.length > 1 && <p class="faint small">{JOINS[group.join]}:</p>}
      <ul>
        {group.parts.map((part, index) => (
          <li key={index}>
            {part.kind === 'group' ? (
              <GroupShown {...about} group={part} />
            ) : (
              <PartShown {...about} part={part} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PartShown({ text, partOf, part }: PartProps & { part: Exclude<Part, Group> }) {
  const explained = partOf(text.slice(part.from, part.to));
  return (
    <>
      {explained && <Outcome holds={Boolean(explained.value)} />}
      <span>
        <PartWords text={text} part={part} />
        {explained && <Values part={part} explained={explained} />}
      </span>
    </>
  );
}

/** What the user has where the condition looks. */
function Values({ part, explained }: { part: Exclude<Part, Group>; explained: ExplainedPart }) {
  if (part.kind === 'row')
    return (
      <span class="faint small">
        {' · '}
        {part.path[0] === 'group' ? 'the group' : 'this user'} has{' '}
        <Value of={comparedIn(explained)} />
      </span>
    );
  return (
    <span class="faint small">
      {valuesIn(explained).map((value) => (
        <span key={value.source}>
          {' · '}
          <code>{value.source}</code> is <Value of={value} />
        </span>
      ))}
    </span>
  );
}

const Outcome = ({ holds }: { holds: boolean }) => (
  <span class={holds ? 'outcome good' : 'outcome bad'}>
    <span aria-hidden="true">{holds ? '✓' : '✕'}</span>
    <span class="unseen">{holds ? 'Holds:' : 'Does not hold:'}</span>
  </span>
);

function PartWords({ text, part }: { text: string; part: Exclude<Part, Group> }) {
  if (part.kind === 'code') return <code>{text.slice(part.from, part.to)}</code>;
  if (part.kind === 'segment')
    return (
      <>
        {MEMBERSHIP[part.isNot ? 'out' : 'in']} <b>{part.name}</b>
      </>
    );
  const { path, comparison, value, unit } = part;
  return (
    <>
      <b>{wordsOf(path)}</b> {COMPARISONS[comparison].words}
      {value !== undefined && (
        <>
          {' '}
          <b>{valueWords(value, unit)}</b>
        </>
      )}
    </>
  );
}

const countRows = (part: Part): number =>
  part.kind === 'group' ? part.parts.reduce((sum, inner) => sum + countRows(inner), 0) : 1;

/** The same text has the same result wherever it is. */
function findPart(parts: readonly ExplainedPart[], source: string): ExplainedPart | undefined {
  for (const part of parts) {
    const found = part.source === source ? part : findPart(part.parts, source);
    if (found) return found;
  }
  return undefined;
}

/** The property that is compared, which comes first in what rows can say. */
const comparedIn = (part: ExplainedPart): ExplainedPart =>
  part.parts[0] ? comparedIn(part.parts[0]) : part;

/** Values of the user and group, however deep. */
const valuesIn = (part: ExplainedPart): ExplainedPart[] =>
  part.parts.length > 0
    ? part.parts.flatMap(valuesIn)
    : /^(user|group)\b/.test(part.source)
      ? [part]
      : [];

const LONGEST = 80;

function Value({ of: { value, missing } }: { of: ExplainedPart }) {
  if (missing) return <>none</>;
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return (
    <b>
      <Sentence text={text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text} />
    </b>
  );
}
