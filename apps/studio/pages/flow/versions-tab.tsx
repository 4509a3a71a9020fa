import type { FlowShown } from '../../src/flows/flow-views.js';
import { Ago } from '../controls/time.js';
import { choose } from '../place/place.js';
import { MIGRATIONS } from './migrations.js';

/** What was committed, when and why. */
export function VersionsTab({ shown: { versions, differs, latest } }: { shown: FlowShown }) {
  const listed = versions.filter(({ version }) => version > 0 || differs);
  return (
    <div class="table-box" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">What changed</th>
            <th scope="col">Users with an older one</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ version, message, migration, createdAt }) => (
            <tr key={version}>
              <th scope="row">
                <button type="button" class="linklike" onClick={() => choose({ version: String(version), tab: undefined })}>
                  {version === 0 ? 'Draft' : version}
                </button>{' '}
                {version > 0 && version === latest && <span class="chip good">latest</span>}
              </th>
              <td>{version === 0 ? <span class="faint">not committed yet</span> : message}</td>
              <td class="faint">{version === 0 ? '' : MIGRATIONS[migration].short}</td>
              <td class="faint">
                <Ago at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
