import {
  type Change,
  type CompiledFlow,
  type Context,
  dateWithZone,
  type Effect,
  EMPTY_STATE,
  exposedBlocks,
  fillBody,
  fillTokens,
  type FlowState,
  hasEnded,
  isActive,
  isRunning,
  isUntouched,
  type TokenValues,
} from '../engine/index.js';
import { invalidRequest } from '../database/errors/index.js';
import type { ResolvedFlow } from '../flows/catalogue/resolved-flow.js';
import {
  advance,
  type Advance,
  type CommandOrRead,
  type DelayEntry,
} from '../states/command/advance.js';
import type { Json } from '../targeting/json/json.js';
import {
  type ExplainedWait,
  findExplainedWait,
  type GroupHistory,
} from './explain/explain-wait.js';
import { describeWait } from './explain/reasons.js';

export interface SimulatedStep {
  /** As it was requested: `read`, `welcome:complete`, `+2 days`. */
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
  /**
   * Delays that wait afterwards, and until when, in milliseconds since 1970; absent where none does
   * (Z4).
   */
  readonly delays?: Readonly<Record<string, number>>;
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

/** The result of one command. */
interface Done extends Pick<SimulatedStep, 'effects'> {
  readonly events: Advance['events'];
}

/** Delays that go on in a walk: a circle of a minute would have half a million in a year. */
const MOST_DELAYS = 10_000;

/** A user who walks through a flow (I4). */
export class SimulatedUser {
  state: FlowState = EMPTY_STATE;
  private revision = 0;
  private delaysOver = 0;

  constructor(
    private readonly flow: ResolvedFlow,
    private context: Context,
    private readonly attention: GroupHistory | undefined,
  ) {}

  take(step: string, command: CommandOrRead): SimulatedStep {
    const { flow, context, attention } = this;
    const free = this.advance(command);
    const isOwnStart =
      command.kind === 'read' && free.events.some(({ cause }) => cause.kind === 'start');
    const waits = isOwnStart && attention && findExplainedWait(flow.flow, attention, context.now);
    const next = waits ? this.advance({ kind: 'read', starts: false }) : free;
    const why = waits
      ? { waits, why: describeWait(waits) }
      : { why: whyNoEffect(flow.compiled, this.state, command, context) };
    return {
      ...this.describeStep(step, [this.follow(next)]),
      ...(next.events.length === 0 && why),
    };
  }

  /**
   * Has time pass: delays go on in the order in which they are over, each at its time (Z4). Throws
   * `request.invalid` where they are too many.
   */
  pass(step: string, ms: number): SimulatedStep {
    const end = this.context.now + ms;
    const all: Done[] = [];
    for (let first = this.firstDelay(); first && first.until <= end; first = this.firstDelay()) {
      if (++this.delaysOver > MOST_DELAYS)
        throw invalidRequest(
          `${step}: more than ${MOST_DELAYS.toLocaleString('en-US')} delays are over by then; let less time pass`,
        );
      this.context = { ...this.context, now: first.until };
      all.push(this.follow(this.advance({ kind: 'continue', block: first.block })));
    }
    this.context = { ...this.context, now: end };
    const why = { why: 'no delay is over by then' };
    return { ...this.describeStep(step, all), ...(all.length === 0 && why) };
  }

  private firstDelay(): DelayEntry | undefined {
    const waiting = Object.entries(this.state.waiting ?? {});
    return waiting.map(([block, until]) => ({ block, until })).sort((a, b) => a.until - b.until)[0];
  }

  private advance(command: CommandOrRead): Advance {
    const { flow, state, revision, context } = this;
    const stored = { version: flow.version, revision, edition: 1, state, recentKeys: [] };
    return advance(flow, revision === 0 ? null : stored, command, context);
  }

  private follow({ state, events, effects }: Advance): Done {
    const { compiled, version } = this.flow;
    this.state = state;
    this.revision += events.length;
    return {
      events,
      effects: effects.map(({ effect }) => describeEffect(compiled, effect, version, this.context)),
    };
  }

  private describeStep(step: string, all: readonly Done[]): SimulatedStep {
    const { state } = this;
    const { compiled } = this.flow;
    const events = all.flatMap((each) => each.events);
    const delays = Object.entries(state.waiting ?? {}).map(
      ([uid, until]) => [compiled.byUid.get(uid)?.id ?? uid, until] as const,
    );
    return {
      step,
      tookEffect: events.length > 0,
      changes: events.flatMap(({ changes }) => changes.map((change) => named(compiled, change))),
      active: exposedBlocks(compiled)
        .filter(({ uid }) => isActive(state, uid))
        .map(({ id }) => id),
      ...(delays.length > 0 && { delays: Object.fromEntries(delays) }),
      state: { started: state.started, stopped: state.stopped, finished: state.finished },
      effects: all.flatMap(({ effects }) => effects),
    };
  }
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
function whyNoEffect(
  flow: CompiledFlow,
  state: FlowState,
  command: CommandOrRead,
  context: Context,
): string {
  const { target, byUid, definition, from, until } = flow;
  switch (command.kind) {
    case 'read':
    case 'start':
      if (hasEnded(flow, context)) return `the flow ended ${dateWithZone(definition.end!)}`;
      if (!isUntouched(state))
        return isRunning(state)
          ? 'the user is in it already'
          : `the flow is ${endOf(state)}; a reset starts it again`;
      if (context.now < from)
        return `nobody enters before ${dateWithZone(definition.target.from!)}`;
      if (context.now >= until)
        return `nobody enters since ${dateWithZone(definition.target.until!)}`;
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
