import { useState } from 'preact/hooks';
import type { MatchingUsers } from '@waymark/domain/records';
import { type Part, readRows } from '@waymark/domain/targeting/rows';
import type { ConditionNames } from '../../src/conditions/condition-views.js';
import { call, path } from '../api/call.js';
import { useAnswer, useLoaded } from '../controls/loaded.js';
import { countText } from '../controls/time.js';
import { ConditionRows, firstRow } from './condition-rows.js';
import { AddSegment } from './membership.js';
import { ConditionText } from './condition-text.js';

interface ConditionEditorProps {
  environment: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
}

const NO_NAMES: ConditionNames = { user: [], group: [], segments: [], events: [] };

/** A condition by rows or by its text, which are one, and how many users it means (T15). */
export default function ConditionEditor({
  environment,
  label,
  value,
  onChange,
}: ConditionEditorProps) {
  const known = useAnswer<ConditionNames>(path`/api/${environment}/property-names`);
  const names = known.value ?? NO_NAMES;
  const whole = readRows(value);
  const [isText, setText] = useState(whole !== undefined && !hasRow(whole));
  const isShownAsText = isText || (!whole && value.trim() !== '');
  return (
    <fieldset class="field condition-editor">
      <legend class="row apart">
        <span class="field-label">{label}</span>
      </legend>
      {isShownAsText ? (
        <ConditionText
          label={label}
          value={value}
          names={names}
          // It stays a text while it is written, also where rows could say it by now.
          onChange={(next) => (setText(true), onChange(next))}
        />
      ) : whole ? (
        <ConditionRows {...{ environment, whole, names, onChange }} text={value} />
      ) : (
        <div class="row">
          <button
            type="button"
            class="tight"
            // The first row names a property that users have.
            disabled={known.isLoading && !known.value}
            onClick={() => onChange(firstRow(names))}
          >
            + Condition
          </button>
          <AddSegment names={names} onAdd={onChange} />
        </div>
      )}
      <div class="row apart">
        <Matching environment={environment} when={value} />
        <button
          type="button"
          class="linklike small"
          disabled={isText && !whole && value.trim() !== ''}
          onClick={() => setText(!isShownAsText)}
        >
          {isShownAsText ? 'Show as rows' : 'Show as text'}
        </button>
      </div>
    </fieldset>
  );
}

const hasRow = (part: Part): boolean =>
  part.kind === 'row' ||
  part.kind === 'segment' ||
  (part.kind === 'group' && part.parts.some(hasRow));

const PAUSE_MS = 400;

/** How many users match, as far as they were looked at. */
function Matching({ environment, when }: { environment: string; when: string }) {
  const isAsked = when.trim() !== '';
  const counted = useLoaded(
    isAsked ? `matching ${environment} ${when}` : undefined,
    async (signal) => {
      await pause(signal);
      return call<MatchingUsers>(path`/api/${environment}/matching`, { body: { when }, signal });
    },
  );
  return (
    <p class="faint small" role="status">
      {!isAsked ? '' : counted.value ? inWords(counted.value) : (counted.error ?? 'Counting …')}
    </p>
  );
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('left', 'AbortError'));
    });
  });

function inWords({ matching, lookedAt, margin }: MatchingUsers): string {
  if (margin === undefined)
    return lookedAt === 0
      ? 'There are no users here yet.'
      : `${countText(matching)} of ${lookedAt === 1 ? '1 user matches' : `${countText(lookedAt)} users match`}.`;
  if (lookedAt === 0) return 'There are too many users to count them in two seconds.';
  const share = Math.round((1_000 * matching) / lookedAt) / 10;
  const off = Math.round(1_000 * margin) / 10;
  return `About ${share} % of users match (± ${off}), counted among ${countText(lookedAt)}.`;
}
