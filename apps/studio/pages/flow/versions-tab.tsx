import { Fragment } from 'preact';
import type { FlowShown, VersionDifferences, VersionLine } from '../../src/flows/flow-views.js';
import { path } from '../api/call.js';
import { Shown, useAnswer } from '../controls/loaded.js';
import { Ago } from '../controls/time.js';
import { choose, query } from '../router/router.js';
import { mayEdit } from '../session/session.js';
import { MIGRATIONS } from './migrations.js';
import { VersionActions } from './version-actions.js';

interface VersionsTabProps {
  environment: string;
  shown: FlowShown;
  onChange: () => void;
}

/**
 * Published versions with date, author and message, the differences to another version, and pins.
 */
export function VersionsTab(props: VersionsTabProps) {
  const { environment, shown } = props;
  const { versions, differs } = shown;
  const listed = versions.filter(({ version }) => version > 0 || differs);
  const open = query.value.get('open');
  return (
    <div class="table-box" tabIndex={0}>
      <table class="as-cards">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">What changed</th>
            <th scope="col" class="only-wide">
              Users with an older version
            </th>
            <th scope="col" class="only-wide">
              When
            </th>
            <th scope="col">
              <span class="unseen">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((row) => {
            const isOpen = open === String(row.version);
            return (
              <Fragment key={row.version}>
                <Row environment={environment} shown={shown} row={row} isOpen={isOpen} />
                {isOpen && <Details {...props} row={row} />}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Below the row of a version: how it differs, and what can be done with it. */
function Details({ environment, shown, row, onChange }: VersionsTabProps & { row: VersionLine }) {
  const { version } = row;
  return (
    <tr>
      <td colSpan={5}>
        <div class="stack">
          <Committed row={row} />
          <Differences environment={environment} shown={shown} version={version} />
          {mayEdit.value && version > 0 && (
            <VersionActions
              environment={environment}
              shown={shown}
              version={version}
              onChange={onChange}
            />
          )}
        </div>
      </td>
    </tr>
  );
}

/** What the row has no room for where it is narrow. */
function Committed({ row: { version, migration, by, createdAt } }: { row: VersionLine }) {
  if (version === 0) return null;
  return (
    <p class="faint small">
      Published <Ago at={createdAt} />
      {by !== null && ` by ${by}`}; users with an older version {MIGRATIONS[migration].short}.
    </p>
  );
}

interface RowProps extends Omit<VersionsTabProps, 'onChange'> {
  row: VersionLine;
  isOpen: boolean;
}

function Row({ environment, shown, row, isOpen }: RowProps) {
  const { version, message, migration, by, createdAt } = row;
  return (
    <tr>
      <th scope="row">
        <VersionName environment={environment} shown={shown} version={version} />
      </th>
      <td class="any-length">
        {version === 0 ? <span class="faint">not published yet</span> : message}
      </td>
      <td class="faint only-wide" data-title="Users with an older version">
        {version === 0 ? '' : MIGRATIONS[migration].short}
      </td>
      <td class="faint only-wide">
        <Ago at={createdAt} />
        {by !== null && <p class="small">by {by}</p>}
      </td>
      <td class="actions">
        <button
          type="button"
          class="tight"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Details of'} ${version === 0 ? 'the draft' : `version ${version}`}`}
          onClick={() =>
            choose(
              { open: isOpen ? undefined : String(version), with: undefined },
              { replace: true },
            )
          }
        >
          {isOpen ? 'Close' : 'Details'}
        </button>
      </td>
    </tr>
  );
}

type VersionProps = Omit<RowProps, 'row' | 'isOpen'> & { version: number };

/** The number of the version, and whether it is held or released somewhere. */
function VersionName({
  environment,
  shown: { highest, pins, releasesByPin },
  version,
}: VersionProps) {
  const pinnedIn = Object.keys(pins).filter((one) => pins[one] === version);
  const elsewhere = pinnedIn.filter((one) => one !== environment);
  return (
    <div class="row">
      <button
        type="button"
        class="linklike"
        onClick={() => choose({ version: String(version), tab: undefined, open: undefined })}
      >
        {version === 0 ? 'Draft' : String(version)}
      </button>
      {version > 0 && version === highest && <span class="chip good">newest</span>}
      {pinnedIn.includes(environment) && (
        <span class="chip warn">{releasesByPin ? 'released here' : 'held here'}</span>
      )}
      {elsewhere.length > 0 && <span class="chip">held in {elsewhere.join(', ')}</span>}
    </div>
  );
}

/** How a version differs from the one before it, or from any other. */
function Differences({ environment, shown: { flow, versions }, version }: VersionProps) {
  const others = versions
    .map((one) => one.version)
    .filter((one) => one !== version && (one > 0 || version > 0));
  const before = version === 0 ? Math.max(...others) : version - 1;
  const chosen = query.value.get('with');
  const base =
    others.find((one) => String(one) === chosen) ?? others.find((one) => one === before && one > 0);
  return (
    <section class="stack close">
      <div class="row">
        <h3>Differences</h3>
        {others.length > 0 && (
          <label class="inline-field">
            <span class="faint">from</span>
            <select
              value={base === undefined ? '' : String(base)}
              onChange={({ currentTarget }) =>
                choose({ with: currentTarget.value || undefined }, { replace: true })
              }
            >
              {base === undefined && <option value="">choose a version</option>}
              {others.map((one) => (
                <option key={one} value={String(one)}>
                  {one === 0 ? 'the draft' : `version ${one}`}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {base === undefined ? (
        <p class="faint">This is the first version.</p>
      ) : (
        <DifferenceList environment={environment} flow={flow} from={base} to={version} />
      )}
    </section>
  );
}

interface DifferenceListProps {
  environment: string;
  flow: string;
  from: number;
  to: number;
}

function DifferenceList({ environment, flow, from, to }: DifferenceListProps) {
  const loaded = useAnswer<VersionDifferences>(
    `${path`/api/${environment}/flows/${flow}/differences`}?from=${from}&to=${to}`,
  );
  return (
    <Shown of={loaded} what="the differences">
      {({ differences }) =>
        differences.length === 0 ? (
          <p class="faint">They are the same.</p>
        ) : (
          <ul class="difference">
            {differences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
