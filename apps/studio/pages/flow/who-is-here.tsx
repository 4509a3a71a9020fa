import type { UsersThere } from '../../src/flows/flow-views.js';
import { Trouble } from '../controls/loaded.js';
import { UserLinks } from '../users/user-links.js';
import { Counting } from './counting.js';
import { type Scope, useUsersAt, type Whom } from './use-report.js';

interface WhoIsHereProps {
  scope: Scope;
  whom: Whom;
  title?: string;
}

/** Users who are in a block now, or met or missed the goal, each of them a click away (T8, T18). */
export function WhoIsHere({ scope, whom, title = 'Who is here' }: WhoIsHereProps) {
  const { value, error, sofar, reload } = useUsersAt(scope, whom);
  return (
    <section class="stack close who-is-here" aria-label={title}>
      <h3>{title}</h3>
      {error !== undefined && <Trouble text={error} onRetry={reload} />}
      {value ? (
        <Named scope={scope} there={value} />
      ) : (
        error === undefined && <Counting sofar={sofar} />
      )}
    </section>
  );
}

function Named({
  scope: { environment, flow },
  there: { users, isAll },
}: {
  scope: Scope;
  there: UsersThere;
}) {
  if (users.length === 0) return <p class="faint">Nobody any more.</p>;
  return (
    <>
      <UserLinks environment={environment} users={users} flow={flow} />
      {!isAll && <p class="faint small">These are {users.length} of them, in no order.</p>}
    </>
  );
}
