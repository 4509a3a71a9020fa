import { useState } from 'preact/hooks';
import { Form } from '../controls/form.js';
import { Link } from '../controls/link.js';
import { go, to } from '../place/place.js';
import { lastLookedAt } from './last-looked-at.js';

/** Finds a user by their exact identifier; they are not listed by name (ADR 1). */
export function UsersPage({ environment }: { environment: string }) {
  const [identifier, setIdentifier] = useState('');
  const users = lastLookedAt(environment);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Users</h1>
          <p class="faint">Where somebody is, how they came there, and why they see what they see.</p>
        </div>
      </div>
      <div class="narrow stack">
        <Form class="toolbar" onSubmit={() => identifier !== '' && go(to(environment, 'users', identifier))}>
          <label class="field wide">
            <span>Identifier</span>
            <input
              value={identifier}
              onInput={({ currentTarget }) => setIdentifier(currentTarget.value)}
              placeholder="Exactly as your application identifies them"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
            />
          </label>
          <button type="submit" class="filled" disabled={identifier === ''}>
            Find
          </button>
        </Form>
        {users.length > 0 ? (
          <section class="card">
            <h3>Last looked at</h3>
            <ul class="choices">
              {users.map((user) => (
                <li key={user}>
                  <Link to={to(environment, 'users', user)}>{user}</Link>
                </li>
              ))}
            </ul>
          </section>
        ) : (
          <p class="faint">
            To find users by where they are, open a flow and click a block: up to a hundred who are in it are named there.
          </p>
        )}
      </div>
    </>
  );
}
