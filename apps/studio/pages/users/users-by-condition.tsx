import { useState } from 'preact/hooks';
import type { MatchingUsersPage } from '../../src/conditions/condition-views.js';
import { call, path } from '../api/call.js';
import ConditionEditor from '../condition/condition-editor.js';
import { Shown, useLoaded } from '../controls/loaded.js';
import { countText } from '../controls/time.js';
import { choose, query } from '../router/router.js';
import { UserLinks } from './user-links.js';

/**
 * Users for whom a condition holds, a page at a time (T17). A chunk of its own, with the editor of
 * conditions.
 */
export default function UsersByCondition({ environment }: { environment: string }) {
  const when = query.value.get('when') ?? '';
  return (
    <>
      <ConditionEditor
        environment={environment}
        label="Users who match"
        value={when}
        onChange={(next) => choose({ when: next || undefined }, { replace: true })}
      />
      {when !== '' && (
        <Pages key={`${environment} ${when}`} environment={environment} when={when} />
      )}
    </>
  );
}

/** Where a page begins: after which user, and how many users are on the pages before. */
interface Start {
  after?: string;
  before: number;
}

function Pages({ environment, when }: { environment: string; when: string }) {
  const [starts, setStarts] = useState<readonly Start[]>([{ before: 0 }]);
  const { after, before } = starts.at(-1)!;
  const found = useLoaded(`found ${environment} ${when} ${after ?? ''}`, (signal) =>
    call<MatchingUsersPage>(path`/api/${environment}/matching/users`, {
      body: { when, ...(after !== undefined && { after }) },
      signal,
    }),
  );
  return (
    <section class="card stack close" aria-label="Users who match">
      <h3>Users who match</h3>
      <Shown of={found} what="users">
        {(page) => (
          <>
            <UserLinks environment={environment} users={page.users} />
            <p class="faint small" role="status">
              {inWords(page, before)}
            </p>
            <div class="row">
              {starts.length > 1 && (
                <button type="button" class="tight" onClick={() => setStarts(starts.slice(0, -1))}>
                  Previous page
                </button>
              )}
              {page.next !== undefined && (
                <button
                  type="button"
                  class="tight"
                  onClick={() =>
                    setStarts([
                      ...starts,
                      { after: page.next!, before: before + page.users.length },
                    ])
                  }
                >
                  {page.users.length === 0 ? 'Look further' : 'Next page'}
                </button>
              )}
            </div>
          </>
        )}
      </Shown>
    </section>
  );
}

/** Which users these are, and how far all of them were looked at. */
function inWords({ users, lookedAt, next, done }: MatchingUsersPage, before: number): string {
  const last = before + users.length;
  const these =
    users.length === 0
      ? `Nobody${before > 0 ? ' else' : ''}${next === undefined ? '' : ` among the ${countText(lookedAt)} users that this page looked at`}`
      : users.length === 1
        ? `User ${countText(last)}`
        : `Users ${countText(before + 1)} to ${countText(last)}`;
  const standing =
    next === undefined
      ? users.length === 0
        ? '.'
        : ': the last ones.'
      : `, with ${shareOf(done)} of all users looked at.`;
  return these + standing;
}

const shareOf = (done: number): string =>
  done < 0.01 ? 'less than 1 %' : `${Math.min(99, Math.round(100 * done))} %`;
