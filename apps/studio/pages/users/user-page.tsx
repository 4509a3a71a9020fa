import { useEffect, useMemo } from 'preact/hooks';
import type { FlowLine } from '../../src/flows/flow-views.js';
import type { ExplanationShown, UserShown } from '../../src/users/user-views.js';
import { path } from '../api/call.js';
import { Link } from '../controls/link.js';
import { Empty, type Loaded, Shown, useAnswer } from '../controls/loaded.js';
import { choose, query, to } from '../router/router.js';
import { mayEdit } from '../session/session.js';
import { AboutUser } from './about-user.js';
import { chosenStep, FlowOfUser, UnmetFlow } from './flow-of-user.js';
import { noteLookedAt } from './last-looked-at.js';
import { UserActions } from './user-actions.js';
import { useWhy, Why } from './why.js';

const FOLLOW_MS = 2_000;

type States = UserShown['flows'];

/**
 * A user: their flows, where they are in each and how they came there (T10), and why they see
 * nothing of others (T14).
 */
export function UserPage({ environment, user }: { environment: string; user: string }) {
  const shown = useAnswer<UserShown>(path`/api/${environment}/users/${user}`);
  const flows = useAnswer<{ flows: FlowLine[] }>(path`/api/${environment}/flows`);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || shown.reload(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, []);
  const lines = flows.value?.flows ?? [];
  const { flow, state } = chosenFlow(environment, shown.value?.flows ?? [], lines);
  const isFound = shown.value !== undefined;
  const moment = `${state?.version} ${state?.revision} ${shown.value?.updatedAt}`;
  const why = useWhy({ environment, user, flow: isFound ? flow : undefined, moment });
  useEffect(() => {
    if (isFound) noteLookedAt(environment, user);
  }, [isFound]);
  const title = titleOf(lines, flow);
  return (
    <>
      <div class="page-head">
        <div>
          <Link to={to(environment, 'users')} class="back">
            ← Users
          </Link>
          <UserHeading user={user} properties={shown.value?.properties} />
        </div>
        {mayEdit.value && isFound && (
          <UserActions
            {...{ environment, user, title }}
            target={state ?? begunBy(why)}
            isMet={state !== undefined}
            at={state && chosenStep(state.revision)}
            onDone={shown.reload}
          />
        )}
      </div>
      <Shown of={shown} what="the user">
        {(value) => (
          <div class="three">
            <nav class="stack" aria-label="Flows of this user">
              <FlowChoice {...{ environment, lines }} states={value.flows} chosen={flow} />
              <AboutUser shown={value} />
            </nav>
            {state ? (
              <FlowOfUser
                key={`${flow} ${state.version}`}
                {...{ environment, user, title, state }}
                versions={versionsOf(value.flows, state.flow)}
                why={(isPast) => <Why why={why} isPast={isPast} />}
              />
            ) : flow !== undefined ? (
              <UnmetFlow key={flow} {...{ environment, user, flow, title, why }} />
            ) : (
              <NoFlow isKnown={flows.value !== undefined} />
            )}
          </div>
        )}
      </Shown>
    </>
  );
}

/** The name, where their properties have one, before the identifier (T16). */
function UserHeading({ user, properties }: { user: string; properties: string | undefined }) {
  const name = useMemo(() => nameIn(properties), [properties]);
  if (name === undefined || name === user) return <h1>{user}</h1>;
  return (
    <>
      <h1>{name}</h1>
      <p>
        <code class="faint">{user}</code>
      </p>
    </>
  );
}

function nameIn(properties = '{}'): string | undefined {
  const { name } = JSON.parse(properties) as { name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

const titleOf = (lines: readonly FlowLine[], flow = ''): string =>
  lines.find((line) => line.flow === flow)?.name ?? flow;

/** Where a state would begin, which is the version that the application would get. */
const begunBy = ({ value }: Loaded<ExplanationShown>) =>
  value && { flow: value.flow, version: value.version, revision: 0 };

/**
 * The flow that the address names, also one that the user never met; else one that they have met,
 * else the first.
 */
function chosenFlow(
  environment: string,
  states: States,
  lines: readonly FlowLine[],
): { flow?: string | undefined; state?: States[number] | undefined } {
  const first = lines.find(({ archived, latest }) => !archived && latest !== null);
  const flow = query.value.get('flow') ?? states[0]?.flow ?? first?.flow;
  const version = query.value.get('version');
  const met = states.filter((state) => state.flow === flow);
  const state =
    met.find((one) => String(one.version) === version) ?? seenIn(environment, met, lines);
  return { flow, state };
}

/**
 * Where applications show the user that ask for the latest version, which is not the newest one
 * where another is held.
 */
function seenIn(
  environment: string,
  met: States,
  lines: readonly FlowLine[],
): States[number] | undefined {
  const held = lines.find(({ flow }) => flow === met[0]?.flow)?.pins[environment] ?? Infinity;
  return met.findLast(({ version }) => version > 0 && version <= held) ?? met.at(-1);
}

const versionsOf = (states: States, flow: string): number[] =>
  states.filter((state) => state.flow === flow).map(({ version }) => version);

function NoFlow({ isKnown }: { isKnown: boolean }) {
  if (!isKnown) return <div />;
  return (
    <Empty title="No flow to look at">
      <p>Once a flow is published, this page says whether the user sees it, and why not.</p>
    </Empty>
  );
}

interface FlowChoiceProps {
  environment: string;
  states: States;
  lines: readonly FlowLine[];
  chosen: string | undefined;
}

function FlowChoice({ environment, states, lines, chosen }: FlowChoiceProps) {
  const met = [...new Set(states.map(({ flow }) => flow))].map((flow) =>
    seenIn(
      environment,
      states.filter((state) => state.flow === flow),
      lines,
    )!,
  );
  const others = lines.filter(({ flow }) => !met.some((state) => state.flow === flow));
  const isOther = chosen !== undefined && !met.some(({ flow }) => flow === chosen);
  return (
    <section class="stack close">
      <h3>Flows</h3>
      <ul class="choices">
        {met.map(({ flow, version, state }) => (
          <FlowLink key={flow} flow={flow} title={titleOf(lines, flow)} isCurrent={chosen === flow}>
            {version === 0 ? 'draft' : `version ${version}`} · {statusOf(state)}
          </FlowLink>
        ))}
        {isOther && (
          <FlowLink flow={chosen} title={titleOf(lines, chosen)} isCurrent>
            not entered
          </FlowLink>
        )}
      </ul>
      {others.length > 0 && (
        <label class="field">
          <span>{met.length === 0 ? 'In no flow yet. Ask about' : 'Ask about another'}</span>
          <select
            value={isOther ? chosen : ''}
            onChange={({ currentTarget }) =>
              choose({ flow: currentTarget.value, version: undefined, revision: undefined })
            }
          >
            <option value="" disabled>
              a flow …
            </option>
            {others.map(({ flow, name, archived }) => (
              <option key={flow} value={flow}>
                {`${name ?? flow}${archived ? ' (archived)' : ''}`}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

interface FlowLinkProps {
  flow: string;
  title: string;
  isCurrent: boolean;
  children: preact.ComponentChildren;
}

function FlowLink({ flow, title, isCurrent, children }: FlowLinkProps) {
  return (
    <li>
      <Link to={`?flow=${encodeURIComponent(flow)}`} current={isCurrent}>
        <b>{title}</b>
        <span class="faint small">{children}</span>
      </Link>
    </li>
  );
}

function statusOf({ started, stopped, finished }: States[number]['state']): string {
  if (finished) return 'finished';
  if (stopped) return 'stopped';
  return started ? 'in progress' : 'not started';
}
