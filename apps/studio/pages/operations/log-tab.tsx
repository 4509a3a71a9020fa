import type { ChangeLine, Some } from '../../src/operations/operations-views.js';
import { path } from '../api/call.js';
import { Select, TextInput } from '../controls/form.js';
import { Link } from '../controls/link.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { At, countText } from '../controls/time.js';
import { chosenSince, sinceTime } from '../flow/since.js';
import { useFlowNames } from '../controls/use-flow-names.js';
import { choose, query, to } from '../router/router.js';
import { describeAction, describeVersions } from './describe-action.js';

const WHAT = ['flow', 'state', 'reset', 'user', 'key', 'endpoint', 'effect', 'environment'];
const CHOICES = { '': 'everything', ...Object.fromEntries(WHAT.map((what) => [what, what])) };

/** Who did what, the newest first. */
export function LogTab({ environment }: { environment: string }) {
  const by = query.value.get('by') ?? '';
  const what = query.value.get('what') ?? '';
  const since = sinceTime(chosenSince());
  const asked = new URLSearchParams({
    ...(by && { by }),
    ...(what && { what }),
    ...(since && { since: `${since.slice(0, 16)}:00.000Z` }),
  }).toString();
  const log = useAnswer<Some<ChangeLine>>(
    `${path`/api/${environment}/log`}${asked && `?${asked}`}`,
  );
  const nameOf = useFlowNames(environment);
  return (
    <div class="stack">
      <div class="toolbar">
        <TextInput
          label="By"
          value={by}
          placeholder="anybody"
          onChange={(next) => choose({ by: next || undefined })}
        />
        <Select
          label="About"
          value={what}
          of={CHOICES}
          onChange={(next) => choose({ what: next || undefined })}
        />
        <Select
          label="When"
          value={chosenSince()}
          of={SINCE}
          onChange={(next) => choose({ since: next || undefined })}
        />
      </div>
      <Shown of={log} what="the log">
        {(found) =>
          found.rows.length === 0 ? (
            <Empty title="Nothing was done" />
          ) : (
            <Table
              isCards
              {...found}
              keyOf={({ at }, index) => `${at} ${index}`}
              columns={columnsOf(environment, nameOf)}
            />
          )
        }
      </Shown>
    </div>
  );
}

const SINCE = {
  '': 'at any time',
  '1d': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
};

type NameOf = ReturnType<typeof useFlowNames>;

const columnsOf = (current: string, nameOf: NameOf): readonly Column<ChangeLine>[] => [
  { title: 'When', isFaint: true, cell: ({ at }) => <At at={at} /> },
  { title: 'Who', isHead: true, cell: ({ by }) => by },
  {
    title: 'What',
    isLong: true,
    cell: (row) => <What row={row} current={current} nameOf={nameOf} />,
  },
  { title: 'Why', isLong: true, cell: ({ reason, message }) => reason ?? message },
];

interface WhatProps {
  row: ChangeLine;
  current: string;
  nameOf: NameOf;
}

function What({ row, current, nameOf }: WhatProps) {
  const { action, subject, environment, outcome, user, published, counts, named } = row;
  const versions = Object.values(published).filter((version) => version > 0);
  const numbers = Object.entries(counts).map(
    ([name, count]) => `${countText(count)} ${COUNTS[name] ?? name}`,
  );
  const names = Object.entries(named).map(([change, all]) => `${change} ${firstOf(all)}`);
  return (
    <>
      {describeAction(action, versions.length > 0)}{' '}
      <Subject
        action={action}
        text={subject ?? ''}
        environment={environment ?? current}
        nameOf={nameOf}
      />
      {describeVersions(versions)}
      {user === null && action.startsWith('state.') && ' for a user'}
      {user !== null && (
        <>
          {' for '}
          <Link to={to(environment ?? current, 'users', user)}>{user}</Link>
        </>
      )}{' '}
      {environment && <span class="chip">{environment}</span>}{' '}
      {outcome !== 'done' && <span class="chip warn">{outcome}</span>}
      {numbers.length > 0 && <p class="faint small">{numbers.join(', ')}</p>}
      {names.length > 0 && <p class="faint small">{names.join('; ')}</p>}
    </>
  );
}

/** As many as anybody reads. */
const MOST_NAMES = 6;

const firstOf = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? `${names.slice(0, MOST_NAMES).join(', ')} and ${countText(names.length - MOST_NAMES)} more`
    : names.join(', ');

const COUNTS: Readonly<Record<string, string>> = {
  matched: 'users matched',
  restored: 'are back where they were',
  unchanged: 'had nothing to reset',
  movedOn: 'had moved on',
};

/**
 * `onboarding`, `onboarding version 2` or `run … of onboarding version 2`: nobody needs the id of a
 * run.
 */
const ABOUT_FLOW = /^(?:run \S+ of )?([\w-]+)( version \d+)?$/;

/** Of a key, which nobody knows by it. */
const KEY_ID = / [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function Subject({
  action,
  text,
  environment,
  nameOf,
}: {
  action: string;
  text: string;
  environment: string;
  nameOf: NameOf;
}) {
  const found = /^(flow|state|reset)\./.test(action) ? ABOUT_FLOW.exec(text) : null;
  if (!found) return <b>{text.replace(KEY_ID, '')}</b>;
  return (
    <>
      <Link to={to(environment, 'flows', found[1]!)}>{nameOf(found[1]!)}</Link>
      {found[2]}
    </>
  );
}
