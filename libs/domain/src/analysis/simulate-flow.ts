import {
  type Change,
  checkNames,
  commandFor,
  compile,
  type CompiledFlow,
  type Context,
  type Effect,
  EMPTY_STATE,
  exposedBlocks,
  fillBody,
  fillTokens,
  type FlowDefinition,
  type FlowState,
  hasEnded,
  INTENTS,
  isActive,
  isRunning,
  isUntouched,
  type TokenValues,
} from '../engine/index.js';
import { invalidRequest } from '../database/errors/index.js';
import { advance, type CommandOrRead } from '../states/command/advance.js';
import type { Json } from '../targeting/json/json.js';
import {
  type ExplainedWait,
  findExplainedWait,
  type GroupHistory,
} from './explain/explain-wait.js';
import { describeWait } from './explain/reasons.js';

/** A walk through a flow that nobody took (I4). */
export interface Simulation {
  readonly flow: string;
  readonly version: number;
  readonly steps: readonly SimulatedStep[];
}

export interface SimulatedStep {
  /** As it was asked for: `read`, `welcome:complete`. */
  readonly step: string;
  readonly tookEffect: boolean;
  /** Why it took none. */
  readonly why?: string;
  /** Of a read that would have started the flow, but for the rules of its attention group (Q7). */
  readonly waits?: ExplainedWait;
  /** What an event would record, with identifiers in the place of uids. */
  readonly changes: readonly Change[];
  /** Blocks and items that are active afterwards, in the order of the definition. */
  readonly active: readonly string[];
  readonly state: {
    readonly started: boolean;
    readonly stopped: boolean;
    readonly finished: boolean;
  };
  readonly effects: readonly SimulatedEffect[];
}

/** What would be sent, with its tokens filled in, or which flow would be triggered (S19). */
export type SimulatedEffect =
  | Extract<Effect, { kind: 'flow-trigger' }>
  | (Omit<Extract<Effect, { kind: 'webhook' }>, 'headers'> & {
      readonly headers: Readonly<Record<string, string>>;
    });

export interface SimulationInput {
  readonly definition: FlowDefinition;
  /** Which version it is; 0 for a draft. */
  readonly version?: number;
  /** One after the other, from a user who never came near the flow. */
  readonly steps: readonly string[];
  /** Who does it, and when. */
  readonly context: Context;
  /** Start and reset whatever the targeting. */
  readonly force?: boolean;
  /** What happened to the user in the attention group of the flow; nothing without it. */
  readonly attention?: GroupHistory | undefined;
}

/**
 * Walks through a flow as the services would, without any of them and without a database (I4). Throws `request.invalid`
 * for a step that cannot be meant, before anything is walked.
 */
export function simulateFlow(input: SimulationInput): Simulation {
  return walkThrough(input).simulation;
}

/** The same, with the state in the end. */
export function walkThrough({
  definition,
  version = 0,
  steps,
  context,
  force = false,
  attention,
}: SimulationInput): {
  simulation: Simulation;
  state: FlowState;
} {
  const compiled = compile(definition);
  const asked = steps.map((step) => ({ step, command: parseStep(compiled, step, force) }));
  const flow = {
    flow: definition.flow,
    version,
    edition: 1,
    strategy: 'carry-over',
    compiled,
  } as const;
  let state: FlowState = EMPTY_STATE;
  let revision = 0;
  const done = asked.map(({ step, command }): SimulatedStep => {
    const stored = revision === 0 ? null : { version, revision, edition: 1, state, recentKeys: [] };
    const free = advance(flow, stored, command, context);
    const isOwnStart = command.kind === 'read' && free.events.at(-1)?.cause.kind === 'start';
    const waits =
      isOwnStart && attention && findExplainedWait(definition.flow, attention, context.now);
    const next = waits ? advance(flow, stored, { kind: 'read', starts: false }, context) : free;
    const why = waits
      ? { waits, why: describeWait(waits) }
      : { why: whyNot(compiled, state, command, context) };
    state = next.state;
    revision += next.events.length;
    return {
      step,
      tookEffect: next.events.length > 0,
      ...(next.events.length === 0 && why),
      changes: next.events.flatMap(({ changes }) =>
        changes.map((change) => named(compiled, change)),
      ),
      active: exposedBlocks(compiled)
        .filter(({ uid }) => isActive(state, uid))
        .map(({ id }) => id),
      state: { started: state.started, stopped: state.stopped, finished: state.finished },
      effects: next.effects.map(({ effect }) => describeEffect(compiled, effect, version, context)),
    };
  });
  return { simulation: { flow: definition.flow, version, steps: done }, state };
}

/** A change with identifiers, since the uids of a draft mean nothing. */
function named({ byUid }: CompiledFlow, change: Change): Change {
  const nameOf = (uid: string): string => byUid.get(uid)?.id ?? uid;
  const places = ['block', 'gate', 'from'].filter((place) => place in change);
  return {
    ...change,
    ...Object.fromEntries(
      places.map((place) => [place, nameOf((change as Record<string, unknown>)[place] as string)]),
    ),
  };
}

/**
 * What a step requests: `read`, an intent, or `BLOCK:NAME[,NAME]`. Throws `request.invalid` that says what there is; names
 * hold neither colons nor commas (S3).
 */
function parseStep(flow: CompiledFlow, text: string, force: boolean): CommandOrRead {
  if (text === 'read') return { kind: 'read', starts: true };
  const intent = INTENTS.find((known) => known === text);
  if (intent) return commandFor(intent, force);
  const [id = '', names] = text.split(':');
  if (names === undefined)
    throw invalidRequest(`${text} is not a step; write read, ${INTENTS.join(', ')} or BLOCK:NAME`);
  const block = flow.byIdentifier.get(id);
  if (!block || !('names' in block))
    throw invalidRequest(
      `${text}: there is no block ${id} that users see; ${describeBlocks(flow)}`,
    );
  const checked = checkNames(block, names.split(','));
  if ('problem' in checked) throw invalidRequest(`${text}: ${checked.problem}`);
  return { kind: 'transition', block: block.uid, names: checked.names };
}

const describeBlocks = ({ exposed }: CompiledFlow): string =>
  exposed.length === 0 ? 'it has none' : `it has ${exposed.map(({ id }) => id).join(', ')}`;

/** What would be sent or triggered, as it would be read at the other end (S19). */
function describeEffect(
  flow: CompiledFlow,
  effect: Effect,
  version: number,
  context: Context,
): SimulatedEffect {
  const block = flow.byUid.get(effect.block)?.id ?? effect.block;
  if (effect.kind === 'flow-trigger') return { ...effect, block };
  const tokens = tokensOf(flow, version, context);
  return {
    kind: effect.kind,
    block,
    url: effect.url,
    headers: Object.fromEntries(
      effect.headers.map(({ name, value }) => [name.toLowerCase(), fillTokens(value, tokens)]),
    ),
    ...(effect.body !== undefined && { body: JSON.parse(fillBody(effect.body, tokens)) as Json }),
  };
}

function tokensOf(
  { definition: { flow, name } }: CompiledFlow,
  version: number,
  { user, now }: Context,
): TokenValues {
  return {
    'flow.name': name ?? flow,
    'flow.identifier': flow,
    'flow.version': String(version),
    'user.identifier': user.identifier,
    timestamp: new Date(now).toISOString(),
  };
}

/** Why a step took no effect, in a few words (S8 to S12). */
function whyNot(
  flow: CompiledFlow,
  state: FlowState,
  command: CommandOrRead,
  context: Context,
): string {
  const { target, byUid, definition, from, until } = flow;
  switch (command.kind) {
    case 'read':
    case 'start':
      if (hasEnded(flow, context)) return `the flow ended ${definition.end}`;
      if (!isUntouched(state))
        return isRunning(state)
          ? 'the user is in it already'
          : `the flow is ${endOf(state)}; a reset starts it again`;
      if (context.now < from) return `nobody enters before ${definition.target.from}`;
      if (context.now >= until) return `nobody enters since ${definition.target.until}`;
      return target === 'api-only'
        ? 'it is api-only, so only a start with force lets anybody in'
        : 'the user does not qualify';
    case 'transition': {
      if (!isRunning(state))
        return isUntouched(state) ? 'the flow is not started' : `the flow is ${endOf(state)}`;
      const id = byUid.get(command.block)?.id;
      return isActive(state, command.block)
        ? `there is nothing before ${id}`
        : `${id} is not active`;
    }
    case 'reset':
      return 'there is nothing to clear, and the user does not qualify';
    default:
      return `the flow is ${endOf(state)} already`;
  }
}

const endOf = ({ stopped }: FlowState): string => (stopped ? 'stopped' : 'finished');
