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
  takeDone,
} from '@waymark/domain/engine';
import type { Json } from '@waymark/domain/targeting';
import { uidOf } from './blocks.js';

/** 2030-01-01T00:00:00Z, the time of every built context. */
export const NOW = Date.UTC(2030, 0, 1);

/**
 * One user playing a flow: keeps the state, every event and every effect, as a store would.
 * Everything handed to the engine is frozen, so that a test fails when the engine writes on its
 * input.
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

  /** Looks once at what is done by itself, as reads and transitions do (Z1). */
  look(): this {
    return this.keep(takeDone(this.flow, deepFreeze(this.state), deepFreeze(this.context)));
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
    return this.keep(
      step(this.flow, deepFreeze(this.state), deepFreeze(command), deepFreeze(this.context)),
    );
  }

  keep({ state, event, effects }: Step): this {
    this.tookEffect = event !== null;
    if (event) this.events.push(event);
    this.effects.push(...effects);
    this.state = state;
    return this;
  }
}

/** Freezes a plain value through and through, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

/** A user who came into the flow. */
export function started(flow: CompiledFlow, context: Context = someone()): Play {
  return new Play(flow).as(context).start(true);
}

/** Somebody with these properties, asking at `NOW`; in a group if that has properties. */
export function someone(
  properties: Record<string, Json> = {},
  group?: Record<string, Json>,
): Context {
  const times = { createdAt: NOW, updatedAt: NOW };
  return {
    now: NOW,
    user: { identifier: 'user-1', properties, ...times },
    userId: 'user-1',
    group: group ? { identifier: 'group-1', properties: group, ...times } : null,
  };
}
