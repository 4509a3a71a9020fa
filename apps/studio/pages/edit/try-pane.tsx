import { useEffect } from 'preact/hooks';
import type { SimulatedEffect, SimulatedStep } from '@waymark/domain/analysis';
import type { TryResult } from '../../src/edit/edit-views.js';
import { call, path } from '../api/call.js';
import { foldedBlocks, useRedraw } from '../controls/folded.js';
import { TextInput } from '../controls/form.js';
import { At } from '../controls/time.js';
import { type Loaded, Trouble, useLoaded, Waiting } from '../controls/loaded.js';
import type { Editing, Tried } from './draft/editing.js';
import { nameIn } from './form/blocks.js';
import { readValue, TryProperties } from './try-properties.js';

/** Time that passes where a delay waits. */
const LATER = [
  ['+1 hour', 'An hour later'],
  ['+1 day', 'A day later'],
  ['+30 days', '30 days later'],
] as const;

/** Walks through the present text as a user would; nothing is written (I4). */
export function TryPane({ editing }: { editing: Editing }) {
  const { walk } = editing;
  const tried = useWalk(editing);
  const nameOf = (id: string): string => nameIn(editing.source.value, id);
  const take = (step: string): void => void (walk.steps.value = [...walk.steps.value, step]);
  return (
    <div class="stack">
      <Who editing={editing} />
      {tried.error !== undefined && <Trouble text={tried.error} />}
      {tried.value === undefined && tried.error === undefined && <Waiting what="the walk" />}
      {tried.value && <Walked result={tried.value} nameOf={nameOf} onStep={take} />}
      <WalkButtons walk={walk} onStep={take} />
      <p class="faint small">Nothing is written or sent.</p>
    </div>
  );
}

/** Walks again whenever the text, the steps or the user change. */
function useWalk(editing: Editing): Loaded<TryResult> {
  const { walk } = editing;
  const [steps, user] = [walk.steps.value, walk.user.value];
  const properties = named(walk.properties.value, readValue);
  const events = named(walk.events.value, (times) => (times === '' ? 1 : Number(times)));
  const text = editing.text.value;
  const language = editing.language.value;
  const tried = useLoaded(
    `try ${JSON.stringify([steps, user, properties, events, text, language])}`,
    async (signal) =>
      call<TryResult>(path`/api/${editing.environment}/try`, {
        body: {
          text,
          steps,
          ...foldedBlocks(),
          ...(language !== undefined && { language }),
          ...(user.trim() && { user: user.trim() }),
          ...{ properties, events },
        },
        signal,
      }),
  );
  useRedraw(tried.reload);
  // What was walked last stays in the picture until the next step is known.
  useEffect(() => {
    if (tried.value) editing.tried.value = tried.value;
  }, [tried.value]);
  return tried;
}

const named = <Value,>(rows: readonly Tried[], read: (value: string) => Value) =>
  Object.fromEntries(
    rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, read(value)]),
  );

interface WalkedProps {
  result: TryResult;
  nameOf: NameOf;
  onStep: (step: string) => void;
}

/** The steps so far, and what the user can do next. */
function Walked({ result: { steps, choices }, nameOf, onStep }: WalkedProps) {
  return (
    <>
      <ol class="list" aria-live="polite">
        {steps.map((step, index) => (
          <li key={index}>
            <Step {...step} nameOf={nameOf} />
          </li>
        ))}
      </ol>
      {choices.map(({ block, names }) => (
        <div key={block} class="row">
          <b>{nameOf(block)}</b>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              class="tight"
              onClick={() => onStep(`${block}:${name}`)}
            >
              {name}
            </button>
          ))}
        </div>
      ))}
      {steps.at(-1)?.delays && (
        <div class="row">
          {LATER.map(([step, label]) => (
            <button key={step} type="button" class="tight" onClick={() => onStep(step)}>
              {label}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

interface WalkButtonsProps {
  walk: Editing['walk'];
  onStep: (step: string) => void;
}

/** What can be done wherever the walk is. */
function WalkButtons({ walk: { steps }, onStep }: WalkButtonsProps) {
  const isStart = steps.value.length === 1;
  return (
    <div class="row">
      <button
        type="button"
        class="tight"
        disabled={isStart}
        onClick={() => (steps.value = steps.value.slice(0, -1))}
      >
        Undo the step
      </button>
      <button
        type="button"
        class="tight"
        disabled={isStart}
        onClick={() => (steps.value = ['read'])}
      >
        Start over
      </button>
      <button type="button" class="tight" onClick={() => onStep('reset')}>
        Reset the user
      </button>
      <button type="button" class="tight" onClick={() => onStep('read')}>
        Application asks again
      </button>
    </div>
  );
}

/** Requested when the fields are left, since every letter would be another walk. */
function Who({ editing }: { editing: Editing }) {
  const { walk } = editing;
  const user = walk.user.value;
  const isAnybody = [user, walk.properties.value, walk.events.value].every(
    ({ length }) => length === 0,
  );
  return (
    <details class="item-form" open={!isAnybody}>
      <summary>
        {isAnybody ? 'As somebody who was identified just now' : `As ${user || 'somebody'}`}
      </summary>
      <div class="stack close">
        <TextInput
          label="With the properties of this user"
          value={user}
          placeholder="nobody in particular"
          onChange={(text) => (walk.user.value = text)}
        />
        <TryProperties editing={editing} />
      </div>
    </details>
  );
}

type NameOf = (id: string) => string;

function Step({
  step,
  tookEffect,
  why,
  changes,
  active,
  delays = {},
  state,
  effects,
  nameOf,
}: SimulatedStep & { nameOf: NameOf }) {
  const branches = changes.flatMap((change) =>
    change.kind === 'branched' ? `${nameOf(change.block)} is ${change.outcome}` : [],
  );
  const left = new Set(changes.flatMap((one) => (one.kind === 'exited' ? one.block : [])));
  const ways = changes.flatMap((change) =>
    change.kind === 'transitioned' && !left.has(change.block)
      ? `${nameOf(change.block)} goes ${change.name}`
      : [],
  );
  const isOver = state.finished ? 'finished' : state.stopped ? 'stopped' : undefined;
  return (
    <>
      <p class="row">
        <b>{inWords(step, nameOf)}</b>
        {!tookEffect && <span class="chip warn">no effect</span>}
        {tookEffect && isOver && <span class="chip good">{isOver}</span>}
      </p>
      {!tookEffect && <p class="faint small">{why}</p>}
      {tookEffect && active.length > 0 && (
        <p class="faint small">in {active.map(nameOf).join(', ')}</p>
      )}
      {Object.entries(delays).map(([block, until]) => (
        <p key={block} class="faint small">
          {nameOf(block)} waits until <At at={new Date(until).toISOString()} />
        </p>
      ))}
      {ways.length > 0 && <p class="faint small">{ways.join(', ')}</p>}
      {branches.length > 0 && <p class="faint small">{branches.join(', ')}</p>}
      {effects.map((effect, index) => (
        <p key={index} class="faint small">
          {describe(effect, nameOf)}
        </p>
      ))}
    </>
  );
}

/** `read`, `reset` or `BLOCK:NAME`, as the history of a user shows it. */
function inWords(step: string, nameOf: NameOf): string {
  const [block, name] = step.split(':');
  if (name !== undefined) return `${name} of ${nameOf(block!)}`;
  if (step.startsWith('+')) return `${step.slice(1)} later`;
  return step === 'read' ? 'The application asks for the flow' : step;
}

function describe(effect: SimulatedEffect, nameOf: NameOf): string {
  if (effect.kind === 'flow-trigger')
    return `${nameOf(effect.block)} would ${effect.intent} ${effect.flow}`;
  const body = effect.body === undefined ? '' : ` with ${JSON.stringify(effect.body)}`;
  return `${nameOf(effect.block)} would send a POST to ${effect.url}${body}`;
}
