import type { UserFlow } from '@waymark/domain/user-records';
import type { Drawn } from '../../src/reader/drawn.js';
import type { CourseShown, Happening } from '../../src/users/user-views.js';
import { call, path } from '../api/call.js';
import { Shown, useLoaded } from '../controls/loaded.js';
import { Picture } from '../controls/picture.js';
import { Ago, At } from '../controls/time.js';
import { choose, query } from '../place/place.js';
import { Why } from './why.js';

interface FlowOfUserProps {
  environment: string;
  user: string;
  state: UserFlow;
}

/** Where the user is in a flow, now or after any step that brought them there. */
export function FlowOfUser({ environment, user, state: { flow, version, revision } }: FlowOfUserProps) {
  const at = chosenStep(revision);
  const base = path`/api/${environment}/users/${user}/flows/${flow}`;
  const course = useLoaded(`${base} ${version} ${revision}`, (signal) =>
    call<CourseShown>(`${base}?version=${version}`, { signal }),
  );
  const picture = useLoaded(`${base} ${version} ${at}`, (signal) =>
    call<Drawn>(`${base}/picture?version=${version}${at === revision ? '' : `&at=${at}`}`, { signal }),
  );
  return (
    <>
      <section class="stack" aria-label={`Where the user is in ${flow}`}>
        {revision > 0 && (
          <Slider revision={revision} at={at} happening={course.value?.happenings.find((one) => one.revision === at)} />
        )}
        <div class="picture-box" tabIndex={0} role="region" aria-label="Picture of the flow">
          <Shown of={picture} what="the picture">
            {({ svg = '' }) => <Picture svg={svg} label={`Where the user is in ${flow}`} />}
          </Shown>
        </div>
      </section>
      <aside class="stack" aria-label="Why, and what happened">
        <Why {...{ environment, user, flow, version, revision }} isPast={at !== revision} />
        <section class="card">
          <h2>What happened</h2>
          <Shown of={course} what="the history">
            {({ happenings }) => <Happenings happenings={happenings} at={at} revision={revision} />}
          </Shown>
        </section>
      </aside>
    </>
  );
}

/** The step that the address names, else the last one. */
export function chosenStep(last: number): number {
  const asked = Number(query.value.get('revision') ?? last);
  return Number.isInteger(asked) && asked >= 0 && asked <= last ? asked : last;
}

interface SliderProps {
  revision: number;
  at: number;
  happening: Happening | undefined;
}

function Slider({ revision, at, happening }: SliderProps) {
  const move = (next: number): void => choose({ revision: next === revision ? undefined : String(next) }, { replace: true });
  const told = at === 0 ? 'Before anything happened' : (happening?.cause ?? `Step ${at}`);
  return (
    <div class="card revision">
      <div class="row apart">
        <b>{at === revision ? 'Now' : told}</b>
        {at !== revision && (
          <button type="button" class="tight" onClick={() => move(revision)}>
            Back to now
          </button>
        )}
        <span class="faint">
          step {at} of {revision}
          {happening && (
            <>
              {' · '}
              <At at={happening.at} />
            </>
          )}
        </span>
      </div>
      <input
        type="range"
        min={0}
        max={revision}
        step={1}
        value={at}
        aria-label="Step of the history"
        aria-valuetext={told}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
    </div>
  );
}

interface HappeningsProps {
  happenings: Happening[];
  at: number;
  revision: number;
}

function Happenings({ happenings, at, revision }: HappeningsProps) {
  if (happenings.length === 0) return <p class="faint">Nothing yet, or no longer kept.</p>;
  const show = (one: number): void => choose({ revision: one === revision ? undefined : String(one) }, { replace: true });
  return (
    <ol class="list happenings" reversed>
      {[...happenings].reverse().map(({ revision: one, at: when, cause, changes }) => (
        <li key={one} aria-current={one === at ? 'step' : undefined}>
          <div class="row apart">
            <button type="button" class="linklike" onClick={() => show(one)}>
              {cause}
            </button>
            <span class="faint small">
              <Ago at={when} />
            </span>
          </div>
          {changes.length > 0 && <p class="faint small">{changes.join(' · ')}</p>}
        </li>
      ))}
    </ol>
  );
}
