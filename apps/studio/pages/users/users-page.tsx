import { useState } from 'preact/hooks';
import type { UserListShown } from '../../src/users/user-views.js';
import { call, path } from '../api/call.js';
import { Form } from '../controls/form.js';
import { Link } from '../controls/link.js';
import { lazily } from '../controls/lazily.js';
import { Shown, useLoaded } from '../controls/loaded.js';
import { choose, go, query, to } from '../router/router.js';
import { lastLookedAt } from './last-looked-at.js';
import { UserLinks } from './user-links.js';

const ByCondition = lazily(() => import('./users-by-condition.js'));
const Segments = lazily(() => import('./segments.js'));

/** Finds users by the beginning of their identifiers, or by a condition (T17). */
export function UsersPage({ environment }: { environment: string }) {
  const by = query.value.get('by');
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Users</h1>
          <p class="faint">
            See where a user is, how they got there, and why they see what they see.
          </p>
        </div>
      </div>
      <nav class="tabs tabbed" aria-label="How to find users">
        <Link to={location.pathname} current={by !== 'condition' && by !== 'segments'}>
          By identifier
        </Link>
        <Link to={`${location.pathname}?by=condition`} current={by === 'condition'}>
          By condition
        </Link>
        <Link to={`${location.pathname}?by=segments`} current={by === 'segments'}>
          Segments
        </Link>
      </nav>
      <div class="narrow stack">
        {by === 'segments' ? (
          <Segments environment={environment} />
        ) : by === 'condition' ? (
          <ByCondition environment={environment} />
        ) : (
          <ByIdentifier environment={environment} />
        )}
      </div>
    </>
  );
}

function ByIdentifier({ environment }: { environment: string }) {
  const typed = query.value.get('search') ?? '';
  const seen = lastLookedAt(environment);
  return (
    <>
      <Form class="toolbar" onSubmit={() => typed !== '' && find(environment, typed)}>
        <label class="field wide">
          <span>Identifier, or its beginning</span>
          <input
            type="search"
            value={typed}
            onInput={({ currentTarget }) =>
              choose({ search: currentTarget.value || undefined }, { replace: true })
            }
            placeholder="As your application identifies them"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </label>
        <button type="submit" class="filled" disabled={typed === ''}>
          Find
        </button>
      </Form>
      {typed === '' && seen.length > 0 && (
        <section class="card">
          <h3>Last looked at</h3>
          <UserLinks environment={environment} users={seen.map((identifier) => ({ identifier }))} />
        </section>
      )}
      <Beginning key={typed} environment={environment} startsWith={typed} />
    </>
  );
}

const usersBy = (environment: string, asked: string): string =>
  `${path`/api/${environment}/users`}${asked && `?${asked}`}`;

/** Leads to the user who is meant; where several begin so, or nobody does, the list says it. */
async function find(environment: string, typed: string): Promise<void> {
  const asked = new URLSearchParams({ startsWith: typed }).toString();
  const found = await call<UserListShown>(usersBy(environment, asked)).catch(() => undefined);
  if (query.value.get('search') !== typed) return;
  // The shortest comes first; without an answer the page of the user says why.
  const [first] = found?.users ?? [{ identifier: typed }];
  if (first && (first.identifier === typed || found?.users.length === 1))
    go(to(environment, 'users', first.identifier));
}

/** Users by identifier, a page at a time. */
function Beginning({ environment, startsWith }: { environment: string; startsWith: string }) {
  const [after, setAfter] = useState<string>();
  const asked = new URLSearchParams({
    ...(startsWith && { startsWith }),
    ...(after !== undefined && { after }),
  }).toString();
  const page = useLoaded(`users ${environment} ${asked}`, (signal) =>
    call<UserListShown>(usersBy(environment, asked), { signal }),
  );
  return (
    <section class="card stack close" aria-label="Users by identifier">
      <h3>{startsWith === '' ? 'All users by identifier' : `Beginning with “${startsWith}”`}</h3>
      <Shown of={page} what="users">
        {({ users, next }) => (
          <>
            {users.length === 0 && <p class="faint">Nobody{after === undefined ? '' : ' else'}.</p>}
            {users.length === 0 && startsWith !== '' && (
              <p>
                By a name, an address or another property, users are found{' '}
                <Link to={`${location.pathname}?by=condition`}>by condition</Link>.
              </p>
            )}
            <UserLinks environment={environment} users={users} />
            <div class="row">
              {after !== undefined && (
                <button type="button" class="tight" onClick={() => setAfter(undefined)}>
                  From the beginning
                </button>
              )}
              {next !== undefined && (
                <button type="button" class="tight" onClick={() => setAfter(next)}>
                  Next page
                </button>
              )}
            </div>
          </>
        )}
      </Shown>
    </section>
  );
}
