import {
  adaptToEdit,
  type Command,
  type CompiledFlow,
  type Context,
  type Effect,
  EMPTY_STATE,
  type FlowEvent,
  type FlowState,
  startOnRead,
  step,
  type Step,
} from '@waymark/domain/engine';
import { uidOf } from './blocks.js';
import { someone } from './context.js';
import { deepFreeze } from './deep-freeze.js';

/**
 * One user playing a flow: keeps the state, every event and every effect, as a store would. Everything handed to the
 * engine is frozen, so that a test fails when the engine writes on its input.
 */
export class Play {
  readonly events: FlowEvent[] = [];
  readonly effects: Effect[] = [];
  /** Whether the last command took effect (S6). */
  tookEffect = false;
  context: Context = someone();

  constructor(
    public flow: CompiledFlow,
    public state: FlowState = EMPTY_STATE,
  ) {
    deepFreeze(flow.definition);
  }

  start(force = false): this {
    return this.run({ kind: 'start', force });
  }

  reset(force = false): this {
    return this.run({ kind: 'reset', force });
  }

  stop(): this {
    return this.run({ kind: 'stop' });
  }

  finish(): this {
    return this.run({ kind: 'finish' });
  }

  /** A transition of the block with that identifier. */
  take(id: string, ...names: string[]): this {
    return this.run({ kind: 'transition', block: uidOf(id), names });
  }

  read(): this {
    return this.keep(startOnRead(this.flow, deepFreeze(this.state), deepFreeze(this.context)));
  }

  /** Goes on in an edited definition (S27). */
  edit(flow: CompiledFlow): this {
    this.flow = flow;
    return this.keep(adaptToEdit(flow, deepFreeze(this.state), deepFreeze(this.context)));
  }

  as(context: Context): this {
    this.context = context;
    return this;
  }

  run(command: Command): this {
    return this.keep(step(this.flow, deepFreeze(this.state), deepFreeze(command), deepFreeze(this.context)));
  }

  keep({ state, event, effects }: Step): this {
    this.tookEffect = event !== null;
    if (event) this.events.push(event);
    this.effects.push(...effects);
    this.state = state;
    return this;
  }
}

/** A user who came into the flow. */
export function started(flow: CompiledFlow, context: Context = someone()): Play {
  return new Play(flow).as(context).start(true);
}
