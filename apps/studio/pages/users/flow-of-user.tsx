import type { ComponentChildren } from 'preact';
import type { UserFlow } from '@waymark/domain/records';
import type { PictureResult } from '../../src/reader/picture-result.js';
import type { HistoryShown, ExplanationShown, HistoryEntry } from '../../src/users/user-views.js';
import { call, path } from '../api/call.js';
import { folded, useRedraw } from '../controls/folded.js';
import { type Loaded, Shown, useLoaded } from '../controls/loaded.js';
import { Picture } from '../controls/picture.js';
import { Ago, At, Sentence } from '../controls/time.js';
import { choose, query } from '../router/router.js';
import { Why } from './why.js';

interface FlowOfUserProps {
  environment: string;
  user: string;
  title: string;
  state: UserFlow;
  /** Versions of the flow in which the user has a state. */
  versions: readonly number[];
  why: (isPast: boolean) => ComponentChildren;
}

/** Where the user is in a flow, now or after any step that brought them there. */
export function FlowOfUser({
  environment,
  user,
  title,
  state: { flow, version, revision },
  versions,
  why,
}: FlowOfUserProps) {
  const at = chosenStep(revision);
  const base = path`/api/${environment}/users/${user}/flows/${flow}`;
  const history = useLoaded(`${base} ${version} ${revision}`, (signal) =>
    call<HistoryShown>(`${base}?version=${version}`, { signal }),
  );
  const step = at === revision ? '' : `&at=${at}`;
  return (
    <>
      <section class="stack" aria-label={`Where the user is in ${title}`}>
        {versions.length > 1 && <VersionChoice versions={versions} version={version} />}
        {revision > 0 && (
          <Slider
            revision={revision}
            at={at}
            entry={history.value?.entries.find((one) => one.revision === at)}
          />
        )}
        <PictureOfUser
          address={`${base}/picture?version=${version}${step}`}
          moment={`${revision}`}
          title={title}
        />
      </section>
      <aside class="stack" aria-label="Why, and what happened">
        {why(at !== revision)}
        <section class="card">
          <h2>What happened</h2>
          <Shown of={history} what="the history">
            {(shown) => <HistoryList {...shown} at={at} revision={revision} />}
          </Shown>
        </section>
      </aside>
    </>
  );
}

interface UnmetFlowProps {
  environment: string;
  user: string;
  flow: string;
  title: string;
  why: Loaded<ExplanationShown>;
}

/** A flow that the user never met: whether they will, and why not (T14). */
export function UnmetFlow({ environment, user, flow, title, why }: UnmetFlowProps) {
  const base = path`/api/${environment}/users/${user}/flows/${flow}`;
  const version = why.value?.version;
  return (
    <>
      <section class="stack picture-last" aria-label={`The flow ${title}`}>
        {version !== undefined && (
          <PictureOfUser address={`${base}/picture?version=${version}`} title={title} />
        )}
      </section>
      <aside class="stack" aria-label="Why">
        <Why why={why} />
      </aside>
    </>
  );
}

/** Of the reader, in which pictures say until when a user waits (T16). */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The flow in the colours of where the user is. */
function PictureOfUser({
  address,
  moment = '',
  title,
}: {
  address: string;
  moment?: string;
  title: string;
}) {
  const asked = `${address}&${new URLSearchParams({ folded: folded.value, zone: ZONE })}`;
  const picture = useLoaded(`${address} ${moment}`, (signal) =>
    call<PictureResult>(asked, { signal }),
  );
  useRedraw(picture.reload);
  return (
    <div class="picture-box" tabIndex={0} role="region" aria-label="Picture of the flow">
      <Shown of={picture} what="the picture">
        {({ svg = '' }) => <Picture svg={svg} label={`Where the user is in ${title}`} />}
      </Shown>
    </div>
  );
}

function VersionChoice({ versions, version }: { versions: readonly number[]; version: number }) {
  return (
    <label class="inline-field">
      <span class="faint">Version</span>
      <select
        value={String(version)}
        onChange={({ currentTarget }) =>
          choose({ version: currentTarget.value, revision: undefined })
        }
      >
        {versions.map((one) => (
          <option key={one} value={String(one)}>
            {one === 0 ? 'draft' : `${one}`}
          </option>
        ))}
      </select>
    </label>
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
  entry: HistoryEntry | undefined;
}

function Slider({ revision, at, entry }: SliderProps) {
  const move = (next: number): void =>
    choose({ revision: next === revision ? undefined : String(next) }, { replace: true });
  const cause = at === 0 ? 'Before anything happened' : (entry?.cause ?? `Step ${at}`);
  return (
    <div class="card revision">
      <div class="row apart">
        <b>{at === revision ? 'Now' : cause}</b>
        {at !== revision && (
          <button type="button" class="tight" onClick={() => move(revision)}>
            Back to now
          </button>
        )}
        <span class="faint">
          step {at} of {revision}
          {entry && (
            <>
              {' · '}
              <At at={entry.at} />
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
        aria-valuetext={cause}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
    </div>
  );
}

interface HistoryProps extends Pick<HistoryShown, 'entries' | 'deletedTo' | 'hasEarlier'> {
  at: number;
  revision: number;
}

function HistoryList({ entries, deletedTo, hasEarlier, at, revision }: HistoryProps) {
  const gone = deletedTo > 0 && `Events up to revision ${deletedTo} were deleted.`;
  if (entries.length === 0) return <p class="faint">{gone || 'Nothing yet.'}</p>;
  const show = (one: number): void =>
    choose({ revision: one === revision ? undefined : String(one) }, { replace: true });
  return (
    <>
      <ol class="list happenings" reversed>
        {[...entries].reverse().map(({ revision: one, at: when, cause, changes }) => (
          <li key={one} aria-current={one === at ? 'step' : undefined}>
            <div class="row apart">
              <button type="button" class="linklike" onClick={() => show(one)}>
                {cause}
              </button>
              <span class="faint small">
                <Ago at={when} />
              </span>
            </div>
            {changes.length > 0 && (
              <p class="faint small">
                <Sentence text={changes.join(' · ')} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {hasEarlier && (
        <p class="faint">
          Earlier events: <code>waymark history --before {entries[0]?.revision}</code>
        </p>
      )}
      {gone && <p class="faint">{gone}</p>}
    </>
  );
}
