import type { NamedUser } from '@waymark/domain/records';
import { Link } from '../controls/link.js';
import { to } from '../router/router.js';

interface UserLinksProps {
  environment: string;
  users: readonly NamedUser[];
  /** The flow that their pages show. */
  flow?: string;
}

/**
 * People by their names, where these are known, and their identifiers, each leading to their page.
 */
export function UserLinks({ environment, users, flow }: UserLinksProps) {
  const about = flow === undefined ? '' : `?flow=${encodeURIComponent(flow)}`;
  return (
    <ul class="choices people">
      {users.map(({ identifier, name }) => (
        <li key={identifier}>
          <Link to={`${to(environment, 'users', identifier)}${about}`}>
            {name !== undefined && <b>{name}</b>}
            <span class={name === undefined ? '' : 'faint small'}>{identifier}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
