import {
  checkNames,
  commandFor,
  compile,
  type CompiledFlow,
  type Context,
  DURATION_FORM,
  type FlowDefinition,
  type FlowState,
  INTENTS,
  parseDuration,
} from '../engine/index.js';
import { invalidRequest } from '../database/errors/index.js';
import type { CommandOrRead } from '../states/command/advance.js';
import type { GroupHistory } from './explain/explain-wait.js';
import { type SimulatedStep, SimulatedUser } from './simulated-user.js';

/** A walk through a flow that nobody took (I4). */
export interface Simulation {
  readonly flow: string;
  readonly version: number;
  readonly steps: readonly SimulatedStep[];
}

interface SimulationInput {
  readonly definition: FlowDefinition;
  /** Which version it is; 0 for a draft. */
  readonly version?: number;
  /** One after the other, from a user who never came near the flow. */
  readonly steps: readonly string[];
  /** Who does it, and when. */
  readonly context: Context;
  /** Start and reset whatever the targeting. */
  readonly force?: boolean;
  /**
   * Ways through splits, by their identifiers; without one a split chooses by its uid and who it is
   * (K2).
   */
  readonly ways?: Readonly<Record<string, string>>;
  /** What happened to the user in the attention group of the flow; nothing without it. */
  readonly attention?: GroupHistory | undefined;
}

/**
 * Walks through a flow as the services would, without any of them and without a database (I4).
 * Throws `request.invalid` for a step that cannot be meant, before anything is walked.
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
  ways = {},
  attention,
}: SimulationInput): {
  simulation: Simulation;
  state: FlowState;
} {
  const compiled = compile(withWays(definition, ways));
  const commands = steps.map((step) => ({ step, command: parseStep(compiled, step, force) }));
  const flow = {
    flow: definition.flow,
    version,
    edition: 1,
    strategy: 'carry-over',
    compiled,
  } as const;
  const walk = new SimulatedUser(flow, context, attention);
  const done = commands.map(({ step, command }) =>
    command.kind === 'pass' ? walk.pass(step, command.ms) : walk.take(step, command),
  );
  return { simulation: { flow: definition.flow, version, steps: done }, state: walk.state };
}

/**
 * The same flow, whose splits send everybody along the ways that are named. Throws
 * `request.invalid` for what there is not.
 */
function withWays(
  definition: FlowDefinition,
  ways: NonNullable<SimulationInput['ways']>,
): FlowDefinition {
  const splits = definition.blocks.filter((block) => block.type === 'split');
  for (const [id, way] of Object.entries(ways)) {
    const split = splits.find((one) => one.id === id);
    if (!split)
      throw invalidRequest(
        `there is no split ${id}; ${splits.length === 0 ? 'it has none' : `it has ${splits.map((one) => one.id).join(', ')}`}`,
      );
    const names = split.ways.map(({ name }) => name);
    if (!names.includes(way))
      throw invalidRequest(`split ${id} has no way ${way}; it has ${names.join(', ')}`);
  }
  const blocks = definition.blocks.map((block) => {
    const named = Object.hasOwn(ways, block.id) ? ways[block.id] : undefined;
    if (block.type !== 'split' || named === undefined) return block;
    const only = block.ways.map(({ name }) => ({ name, share: name === named ? 1 : 0 }));
    return { ...block, ways: only };
  });
  return { ...definition, blocks };
}

/**
 * What a step requests: `read`, an intent, `BLOCK:NAME[,NAME]`, or that time passes, as in `+2
 * days`. Throws `request.invalid` that says what there is; names hold neither colons nor commas
 * (S3).
 */
function parseStep(
  flow: CompiledFlow,
  text: string,
  force: boolean,
): CommandOrRead | { readonly kind: 'pass'; readonly ms: number } {
  if (text === 'read') return { kind: 'read', starts: true };
  if (text.startsWith('+')) return { kind: 'pass', ms: timeOf(text.slice(1).trim()) };
  const intent = INTENTS.find((known) => known === text);
  if (intent) return commandFor(intent, force);
  const [id = '', names] = text.split(':');
  if (names === undefined)
    throw invalidRequest(
      `${text} is not a step; write read, ${INTENTS.join(', ')}, BLOCK:NAME or a time such as "+2 days"`,
    );
  const block = flow.byIdentifier.get(id);
  if (!block || !('names' in block))
    throw invalidRequest(
      `${text}: there is no block ${id} that users see; ${describeBlocks(flow)}`,
    );
  const checked = checkNames(block, names.split(','));
  if ('problem' in checked) throw invalidRequest(`${text}: ${checked.problem}`);
  return { kind: 'transition', block: block.uid, names: checked.names };
}

function timeOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw invalidRequest(`+${text} is not a time that can pass; write + and ${DURATION_FORM}`);
  return ms;
}

const describeBlocks = ({ exposed }: CompiledFlow): string =>
  exposed.length === 0 ? 'it has none' : `it has ${exposed.map(({ id }) => id).join(', ')}`;
