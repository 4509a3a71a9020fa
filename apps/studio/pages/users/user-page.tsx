import { useEffect } from 'preact/hooks';
import type { UserShown } from '../../src/users/user-views.js';
import { path } from '../api/call.js';
import { Link } from '../controls/link.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { Ago } from '../controls/time.js';
import { query, to } from '../place/place.js';
import { mayEdit } from '../session/session.js';
import { chosenStep, FlowOfUser } from './flow-of-user.js';
import { noteLookedAt } from './last-looked-at.js';
import { UserActions } from './user-actions.js';

const FOLLOW_MS = 2_000;

/** A user: their flows, where they are in each and how they came there (T10). The page follows what happens. */
export function UserPage({ environment, user }: { environment: string; user: string }) {
  const shown = useAnswer<UserShown>(path`/api/${environment}/users/${user}`);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || shown.reload(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, []);
  const chosen = shown.value && chosenFlow(shown.value.flows);
  const isFound = shown.value !== undefined;
  useEffect(() => {
    if (isFound) noteLookedAt(environment, user);
  }, [isFound]);
  return (
    <>
      <div class="page-head">
        <div>
          <Link to={to(environment, 'users')} class="back">
            ← Users
          </Link>
          <h1>{user}</h1>
        </div>
        {mayEdit.value && shown.value && (
          <UserActions
            environment={environment}
            user={user}
            state={chosen}
            at={chosen && chosenStep(chosen.revision)}
            onDone={shown.reload}
          />
        )}
      </div>
      <Shown of={shown} what="the user">
        {(value) => <UserView environment={environment} shown={value} chosen={chosen} />}
      </Shown>
    </>
  );
}

/** The flow that the address names, else the first. */
function chosenFlow(flows: Flows): Flows[number] | undefined {
  const newest = newestOf(flows);
  const asked = query.value.get('flow') ?? undefined;
  return newest.find(({ flow }) => flow === asked) ?? newest[0];
}

interface UserViewProps {
  environment: string;
  shown: UserShown;
  chosen: Flows[number] | undefined;
}

function UserView({ environment, shown, chosen }: UserViewProps) {
  const newest = newestOf(shown.flows);
  return (
    <div class="three">
      <nav class="stack" aria-label="Flows of this user">
        <section>
          <h3>Flows</h3>
          {newest.length === 0 && <p class="faint">None yet.</p>}
          <ul class="choices">
            {newest.map(({ flow, version, state }) => (
              <li key={flow}>
                <Link to={`?flow=${encodeURIComponent(flow)}`} current={chosen?.flow === flow}>
                  <b>{flow}</b>
                  <span class="faint small">
                    {version === 0 ? 'draft' : `version ${version}`} · {standingOf(state)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <About shown={shown} />
      </nav>
      {chosen ? (
        <FlowOfUser key={chosen.flow} environment={environment} user={shown.identifier} state={chosen} />
      ) : (
        <Empty title="In no flow yet">
          <p>As soon as the application reads a flow for this user, it is shown here.</p>
        </Empty>
      )}
    </div>
  );
}

function About({ shown: { properties, groups, createdAt, updatedAt } }: { shown: UserShown }) {
  return (
    <div class="about stack">
      <section>
        <h3>Properties</h3>
        <Properties text={properties} />
      </section>
      {groups.length > 0 && (
        <section>
          <h3>Groups</h3>
          {groups.map((group) => (
            <details key={group.identifier} class="group" open={groups.length === 1}>
              <summary>{group.identifier}</summary>
              <Properties text={group.properties} />
            </details>
          ))}
        </section>
      )}
      <p class="faint small">
        First identified <Ago at={createdAt} />, last <Ago at={updatedAt} />
      </p>
    </div>
  );
}

function Properties({ text }: { text: string }) {
  if (text === '{}') return <p class="faint small">None.</p>;
  return (
    <pre class="properties" tabIndex={0}>
      {laidOut(text)}
    </pre>
  );
}

/** Numbers beyond 2^53 would be changed by reading them: the text is laid out only where reading it changes nothing. */
function laidOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isExact = JSON.stringify(value) === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isExact ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

type Flows = UserShown['flows'];

/** The highest version of each flow, as readers of `latest` see it. */
function newestOf(flows: Flows): Flows {
  return flows.filter(({ flow, version }) => !flows.some((other) => other.flow === flow && other.version > version));
}

export function standingOf({ started, stopped, finished }: Flows[number]['state']): string {
  if (finished) return 'finished';
  if (stopped) return 'stopped';
  return started ? 'in progress' : 'not started';
}
