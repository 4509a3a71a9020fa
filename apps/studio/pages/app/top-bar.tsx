import { Options } from '../controls/options.js';
import icon from '../icon.svg';
import { Link } from '../controls/link.js';
import { Menu } from '../controls/menu.js';
import { environments, leave, me } from '../session/session.js';
import { go, parts, to } from '../router/router.js';

/** The parts of the studio, as the top bar has them. */
const SECTIONS = [
  { name: 'flows', title: 'Flows' },
  { name: 'users', title: 'Users' },
  { name: 'operations', title: 'Operations' },
] as const;

export function TopBar({ environment }: { environment: string }) {
  const section = parts.value[1];
  return (
    <header class="top-bar">
      <Link to={to(environment, 'flows')} class="brand" label="Waymark studio: flows">
        <img src={icon} alt="" width="24" height="24" />
        <span>Waymark</span>
      </Link>
      <nav aria-label="Sections">
        {SECTIONS.map(({ name, title }) => (
          <Link key={name} to={to(environment, name)} current={section === name}>
            {title}
          </Link>
        ))}
      </nav>
      <div class="top-bar-end">
        <EnvironmentChoice environment={environment} section={section ?? 'flows'} />
        <Person />
      </div>
    </header>
  );
}

/**
 * Flows are the same everywhere, so that the same view is shown of the other environment; users are
 * not.
 */
function EnvironmentChoice({ environment, section }: { environment: string; section: string }) {
  const change = (next: string): void =>
    go(section === 'flows' ? to(next, ...parts.value.slice(1)) : to(next, section));
  return (
    <label class={`environment ${environment === 'production' ? 'production' : ''}`}>
      <span class="unseen">Environment</span>
      <select value={environment} onChange={(event) => change(event.currentTarget.value)}>
        <Options of={environments.value} />
      </select>
    </label>
  );
}

function Person() {
  const { person, role, access, readOnly } = me.value!;
  const isViewer = role === 'viewer';
  return (
    <Menu label={person!.name}>
      <p class="menu-note">
        {isViewer
          ? readOnly
            ? 'The studio is read-only'
            : 'You may view everything'
          : 'You may change everything'}
      </p>
      <button type="button" onClick={() => void leave()}>
        {access === 'oidc' ? 'Sign out' : 'Close this session'}
      </button>
    </Menu>
  );
}
