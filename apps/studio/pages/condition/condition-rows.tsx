import { useEffect, useId, useState } from 'preact/hooks';
import type { Json } from '@waymark/domain/targeting';
import {
  addPart,
  type Code,
  type ComparisonName,
  COMPARISONS,
  type Group,
  joinBy,
  JOINS,
  type Part,
  type Path,
  putPart,
  readRows,
  readShown,
  removePart,
  type Row,
  type RowContent,
  showValue,
  UNITS,
  writePath,
  writeRow,
} from '@waymark/domain/targeting/rows';
import type { ConditionNames } from '../../src/conditions/condition-views.js';
import { call, path as address } from '../api/call.js';
import { Options } from '../controls/options.js';
import { AddSegment, MembershipPart } from './membership.js';
import { PropertyChoice } from './property-choice.js';

interface RowsProps {
  environment: string;
  text: string;
  whole: Group;
  names: ConditionNames;
  onChange: (text: string) => void;
}

/**
 * A condition as rows of property, comparison and value; what rows cannot express is among them as
 * it is written (T15).
 */
export function ConditionRows(props: RowsProps) {
  return <GroupRows {...props} group={props.whole} />;
}

/** A row to begin with. */
export function firstRow({ user: [first] }: ConditionNames): string {
  const path: Path = first ? ['user', 'properties', ...first] : ['user', 'identifier'];
  return writeRow({ path, comparison: '==', value: '' });
}

function GroupRows({ group, ...props }: RowsProps & { group: Group }) {
  const { text, whole, names, onChange } = props;
  const another = firstRow(names);
  return (
    <div
      class={group === whole ? 'condition' : 'condition inner'}
      role="group"
      aria-label={JOINS[group.join]}
    >
      {group.signs.length > 0 && (
        <JoinChoice join={group.join} onChange={(join) => onChange(joinBy(text, group, join))} />
      )}
      {group.parts.map((part, index) => (
        <div class="condition-part" key={index}>
          <PartOf {...props} part={part} />
          {part.kind !== 'group' && (
            <button
              type="button"
              class="quiet tight"
              aria-label={`Remove condition ${index + 1}`}
              onClick={() => onChange(removePart(text, whole, part))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      <div class="row">
        <button type="button" class="tight" onClick={() => onChange(addPart(text, group, another))}>
          + Condition
        </button>
        <AddSegment names={names} onAdd={(put) => onChange(addPart(text, group, put))} />
        {group === whole && (
          <button
            type="button"
            class="tight"
            onClick={() =>
              onChange(addPart(text, group, `(${another} ${otherSign(group)} ${another})`))
            }
          >
            + Group
          </button>
        )}
      </div>
    </div>
  );
}

type Join = Group['join'];

function JoinChoice({ join, onChange }: { join: Join; onChange: (join: Join) => void }) {
  return (
    <label>
      <span class="unseen">How many of them have to hold</span>
      <select
        class="condition-join"
        value={join}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Join)}
      >
        <Options of={JOINS} />
      </select>
    </label>
  );
}

const otherSign = ({ join }: Group): string => (join === 'and' ? 'OR' : 'AND');

function PartOf({ part, ...props }: RowsProps & { part: Part }) {
  if (part.kind === 'group') return <GroupRows {...props} group={part} />;
  if (part.kind === 'segment') return <MembershipPart {...props} part={part} />;
  return part.kind === 'code' ? (
    <CodePart {...props} part={part} />
  ) : (
    <RowPart {...props} row={part} />
  );
}

/** Written as it is: rows have no words for it. */
function CodePart({ part, text, onChange }: RowsProps & { part: Code }) {
  const written = text.slice(part.from, part.to);
  const [typed, setTyped] = useState(written);
  useEffect(() => setTyped(written), [written]);
  // What is half written might end in another part of the condition.
  const isWhole = readRows(typed)?.parts.length === 1;
  return (
    <input
      class="code-input grow"
      aria-label="Condition as it is written"
      spellcheck={false}
      value={typed}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value);
        if (readRows(value)?.parts.length === 1) onChange(putPart(text, part, value));
      }}
      onBlur={() => isWhole || setTyped(written)}
    />
  );
}

function RowPart({ row, text, onChange, ...about }: RowsProps & { row: Row }) {
  const change = (next: Partial<RowContent>): void =>
    onChange(putPart(text, row, writeRow({ ...contentOf(row), ...next })));
  return (
    <div class="condition-row">
      <PropertyChoice
        path={row.path}
        names={about.names}
        onChange={(path) => change(elsewhere(path, row))}
      />
      <select
        aria-label="Comparison"
        value={row.comparison}
        onChange={({ currentTarget }) =>
          change(compared(row, currentTarget.value as ComparisonName))
        }
      >
        {(Object.keys(COMPARISONS) as ComparisonName[]).map((name) => (
          <option key={name} value={name}>
            {COMPARISONS[name].words}
          </option>
        ))}
      </select>
      <ValueField row={row} environment={about.environment} onChange={change} />
    </div>
  );
}

const contentOf = ({ path, comparison, value, unit }: Row): RowContent => ({
  path,
  comparison,
  ...(value !== undefined && { value }),
  ...(unit !== undefined && { unit }),
});

/** Another property, which has other values; a length of time suits every moment. */
const elsewhere = (path: Path, { value, unit }: Row): Partial<RowContent> =>
  value === undefined || unit !== undefined ? { path } : { path, value: '' };

/** The same value where the other comparison takes it. */
function compared({ value }: Row, comparison: ComparisonName): Partial<RowContent> {
  const takes = COMPARISONS[comparison].value;
  if (takes === 'time')
    return { comparison, value: typeof value === 'number' ? value : 14, unit: 'days' };
  if (takes === 'text') return { comparison, value: value === undefined ? '' : String(value) };
  return { comparison, value: value ?? '' };
}

interface ValueProps {
  row: Row;
  onChange: (next: Partial<RowContent>) => void;
}

function ValueField({ environment, ...props }: ValueProps & { environment: string }) {
  const takes = COMPARISONS[props.row.comparison].value;
  if (takes === 'none') return null;
  if (takes === 'time') return <DurationFields {...props} />;
  return <ValueInput {...props} environment={environment} isText={takes === 'text'} />;
}

function DurationFields({ row: { value = '', unit }, onChange }: ValueProps) {
  return (
    <>
      <input
        type="number"
        min="0"
        class="condition-number"
        aria-label="How many"
        value={String(value)}
        onInput={({ currentTarget }) =>
          onChange({ value: Math.max(0, Number(currentTarget.value) || 0) })
        }
      />
      <select
        aria-label="Unit"
        value={unit}
        onChange={({ currentTarget }) =>
          onChange({ unit: currentTarget.value as (typeof UNITS)[number] })
        }
      >
        <Options of={UNITS} />
      </select>
    </>
  );
}

interface ValueInputProps extends ValueProps {
  environment: string;
  isText: boolean;
}

/** Offers values that users have, once it has the focus. */
function ValueInput({ row, environment, isText, onChange }: ValueInputProps) {
  const listId = useId();
  const [offered, setOffered] = useState<{ of: string; values: Json[] }>();
  const { value = '' } = row;
  const wanted = writePath(row.path);
  const load = (): void => {
    if (offered?.of !== wanted)
      void loadValues(environment, row.path).then((values) => setOffered({ of: wanted, values }));
  };
  return (
    <>
      <input
        class="grow"
        aria-label="Value"
        list={listId}
        spellcheck={false}
        autocomplete="off"
        value={isText ? String(value) : showValue(value)}
        onFocus={load}
        onInput={({ currentTarget: { value: typed } }) =>
          onChange({ value: isText ? typed : readShown(typed) })
        }
      />
      <datalist id={listId}>
        {offered?.of === wanted &&
          offered.values.map((one) => (
            <option key={String(one)} value={showValue(one as string)} />
          ))}
      </datalist>
    </>
  );
}

/** Nothing is offered where nothing can be had. */
async function loadValues(environment: string, [root, kind, ...steps]: Path): Promise<Json[]> {
  if (kind !== 'properties') return [];
  const query = new URLSearchParams([
    ['of', root],
    ...steps.map((step) => ['name', String(step)]),
  ] as string[][]);
  return call<Json[]>(`${address`/api/${environment}/property-values`}?${query.toString()}`).catch(
    () => [],
  );
}
