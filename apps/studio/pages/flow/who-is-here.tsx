import type { UsersAtBlock } from '../../src/flows/flow-views.js';
import { Trouble } from '../controls/loaded.js';
import { countText } from '../controls/time.js';
import { UserLinks } from '../users/user-links.js';
import { Counting } from './counting.js';
import { type Scope, useUsersAt, type UserSelection } from './use-report.js';

interface WhoIsHereProps {
  scope: Scope;
  whom: UserSelection;
  title?: string;
}

/** Opens and closes the list of users behind a number. */
export function WhoButton({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) {
  return (
    <button type="button" class="linklike" aria-expanded={isOpen} onClick={onClick}>
      {isOpen ? 'Close' : 'Who?'}
    </button>
  );
}

/** Users who are in a block now, or met or missed the goal, each of them a click away (T8, T18). */
export function WhoIsHere({ scope, whom, title = 'Who is here' }: WhoIsHereProps) {
  const { value, error, sofar, reload, ...more } = useUsersAt(scope, whom);
  return (
    <section class="stack close who-is-here" aria-label={title}>
      <h3>{title}</h3>
      {error !== undefined && <Trouble text={error} onRetry={reload} />}
      {value ? (
        <Named {...more} scope={scope} there={value} />
      ) : (
        error === undefined && <Counting sofar={sofar} />
      )}
    </section>
  );
}

function Named({
  scope: { environment, flow },
  there: { users, next },
  isGrowing,
  showMore,
}: {
  scope: Scope;
  there: UsersAtBlock;
  isGrowing: boolean;
  showMore: () => void;
}) {
  if (users.length === 0) return <p class="faint">Nobody any more.</p>;
  return (
    <>
      <UserLinks environment={environment} users={users} flow={flow} />
      {next !== undefined && (
        <div class="row apart">
          <span class="faint small" role="status">
            The first {countText(users.length)} are shown.
          </span>
          <button type="button" class="tight" disabled={isGrowing} onClick={showMore}>
            Show more
          </button>
        </div>
      )}
    </>
  );
}
