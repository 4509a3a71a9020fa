import { useEffect } from 'preact/hooks';
import type { SimulatedEffect, SimulatedStep } from '@waymark/domain/impact';
import type { Tried } from '../../src/edit/edit-views.js';
import { call, CallError, path } from '../api/call.js';
import { TextInput } from '../controls/form.js';
import { Trouble, useLoaded, Waiting } from '../controls/loaded.js';
import type { Editing } from './draft/editing.js';

/** Walks through the text as it stands here, as a user would; nothing is written (I4). */
export function TryPane({ editing }: { editing: Editing }) {
  const { walk } = editing;
  const [steps, user, properties] = [walk.steps.value, walk.user.value, walk.properties.value];
  const text = editing.text.value;
  const tried = useLoaded(`try ${JSON.stringify([steps, user, properties, text])}`, async (signal) =>
    call<Tried>(path`/api/${editing.environment}/try`, {
      body: {
        text,
        steps,
        ...(user.trim() && { user: user.trim() }),
        ...(properties.trim() && { properties: parse(properties) }),
      },
      signal,
    }),
  );
  // What was walked last stays in the picture until the next step is known.
  useEffect(() => {
    if (tried.value) editing.tried.value = tried.value.svg;
  }, [tried.value]);
  const take = (step: string): void => void (walk.steps.value = [...steps, step]);
  return (
    <div class="stack">
      <Who editing={editing} />
      {tried.error !== undefined && <Trouble text={tried.error} />}
      {tried.value === undefined && tried.error === undefined && <Waiting what="the walk" />}
      {tried.value && (
        <>
          <ol class="list" aria-live="polite">
            {tried.value.steps.map((step, index) => (
              <li key={index}>
                <Step {...step} />
              </li>
            ))}
          </ol>
          {tried.value.choices.map(({ block, names }) => (
            <div key={block} class="row">
              <b>{block}</b>
              {names.map((name) => (
                <button key={name} type="button" class="tight" onClick={() => take(`${block}:${name}`)}>
                  {name}
                </button>
              ))}
            </div>
          ))}
        </>
      )}
      <div class="row">
        <button type="button" class="tight" disabled={steps.length === 1} onClick={() => (walk.steps.value = steps.slice(0, -1))}>
          Take back
        </button>
        <button type="button" class="tight" disabled={steps.length === 1} onClick={() => (walk.steps.value = ['read'])}>
          Begin again
        </button>
        <button type="button" class="tight" onClick={() => take('reset')}>
          Reset
        </button>
        <button type="button" class="tight" onClick={() => take('read')}>
          Read
        </button>
      </div>
      <p class="faint small">Nothing is written or sent.</p>
    </div>
  );
}

/** Asked for when the fields are left, since every letter would be another walk. */
function Who({ editing: { walk } }: { editing: Editing }) {
  const [user, properties] = [walk.user.value, walk.properties.value];
  return (
    <details class="item-form" open={user !== '' || properties !== ''}>
      <summary>
        {user === '' && properties === '' ? 'As somebody who was identified just now' : `As ${user || 'somebody'}`}
      </summary>
      <div class="stack close">
        <TextInput
          label="With the properties of this user"
          value={user}
          placeholder="nobody in particular"
          onChange={(text) => (walk.user.value = text)}
        />
        <TextInput
          label="And with these properties"
          value={properties}
          placeholder={'{"plan": "pro"}'}
          isCode
          onChange={(text) => (walk.properties.value = text)}
        />
      </div>
    </details>
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CallError(400, 'Properties are a JSON object, such as {"plan": "pro"}.');
  }
}

function Step({ step, tookEffect, why, changes, active, state, effects }: SimulatedStep) {
  const branches = changes.flatMap((change) => (change.kind === 'branched' ? `${change.block} is ${change.outcome}` : []));
  const isOver = state.finished ? 'finished' : state.stopped ? 'stopped' : undefined;
  return (
    <>
      <p class="row">
        <b>{inWords(step)}</b>
        {!tookEffect && <span class="chip warn">no effect</span>}
        {tookEffect && isOver && <span class="chip good">{isOver}</span>}
      </p>
      {!tookEffect && <p class="faint small">{why}</p>}
      {tookEffect && active.length > 0 && <p class="faint small">in {active.join(', ')}</p>}
      {branches.length > 0 && <p class="faint small">{branches.join(', ')}</p>}
      {effects.map((effect, index) => (
        <p key={index} class="faint small">
          {describe(effect)}
        </p>
      ))}
    </>
  );
}

/** `read`, `reset` or `BLOCK:NAME`, as histories of users tell it. */
function inWords(step: string): string {
  const [block, name] = step.split(':');
  if (name !== undefined) return `${name} of ${block}`;
  return step === 'read' ? 'The application reads the flow' : step;
}

function describe(effect: SimulatedEffect): string {
  if (effect.kind === 'flow-trigger') return `${effect.block} would ${effect.intent} ${effect.flow}`;
  const body = effect.body === undefined ? '' : ` with ${JSON.stringify(effect.body)}`;
  return `${effect.block} would send a POST to ${effect.url}${body}`;
}
