import type { Effect, FlowEvent, FlowState } from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import type { AttentionWrite } from '../attention/attention-snapshot.js';
import type { DelayEntry } from './advance.js';
import type { StateOwner } from './state-owner.js';

/** What one command leads to: written whole or not at all. */
export interface NextState {
  /** 0 where there was no state in this version. */
  readonly revisionBefore: number;
  readonly state: FlowState;
  readonly recentKeys: readonly string[];
  /** At least one; each raises the revision by one (S6). */
  readonly events: readonly FlowEvent[];
  readonly effects: readonly { readonly revision: number; readonly effect: Effect }[];
  /** Delays that wait since this (Z4). */
  readonly delays?: readonly DelayEntry[];
  /** Where the flow begins or ends being in progress in a group (Q4). */
  readonly attention?: AttentionWrite;
  /**
   * State of an older version that it was carried over from, if delays wait there: it must not have
   * changed (ADR 91).
   */
  readonly source?: StateSource;
}

export interface StateSource {
  readonly version: number;
  readonly revision: number;
}

/**
 * The next state of one command as it goes to the database: documents are JSON texts, made once.
 */
export interface StateWrite {
  readonly owner: StateOwner;
  readonly flow: Pick<ResolvedFlow, 'flow' | 'version' | 'edition'>;
  readonly before: number;
  readonly after: number;
  readonly state: string;
  readonly recentKeys: readonly string[];
  readonly events: readonly string[];
  /** How many of them, the last ones, were not requested: automatic steps, if any (Z1). */
  readonly unasked: number;
  /**
   * In the order in which they are carried out: by revision, then by place within its event (S19).
   */
  readonly effects: readonly EffectWrite[];
  readonly delays: readonly DelayEntry[];
  readonly attention?: AttentionWrite;
  readonly source?: StateSource;
  /** Length of the documents together. */
  readonly characters: number;
}

interface EffectWrite {
  readonly revision: number;
  readonly position: number;
  readonly effect: string;
}

export function stateWrite(
  owner: StateOwner,
  flow: StateWrite['flow'],
  next: NextState,
): StateWrite {
  const state = JSON.stringify(next.state);
  const events = next.events.map((event) => JSON.stringify(event));
  const effects = numbered(next.effects);
  let characters = state.length;
  for (const event of events) characters += event.length;
  for (const { effect } of effects) characters += effect.length;
  const before = next.revisionBefore;
  const { recentKeys, delays = [], attention, source } = next;
  return {
    owner,
    flow,
    before,
    after: before + events.length,
    state,
    recentKeys,
    events,
    unasked: next.events.at(-1)?.cause.kind === 'condition' ? 1 : 0,
    effects,
    delays,
    characters,
    ...(attention && { attention }),
    ...(source && { source }),
  };
}

/** Effects come in their order; the place of each counts from 0 within its event. */
function numbered(effects: NextState['effects']): EffectWrite[] {
  let position = 0;
  return effects.map(({ revision, effect }, index) => {
    position = effects[index - 1]?.revision === revision ? position + 1 : 0;
    return { revision, position, effect: JSON.stringify(effect) };
  });
}

/**
 * The parameters of `WRITE_STATE`; those of effects only where there are any, or where those of a
 * group or of delays follow.
 */
export function valuesOf(all: StateWrite): unknown[] {
  const { owner, effects, events, unasked, delays, attention, ...write } = all;
  const { idempotencyKey, groupIdentifier, origin, chain, trace } = owner;
  const values = [...stateValues({ owner, ...write }), events, idempotencyKey];
  values.push(groupIdentifier, origin, unasked);
  if (effects.length > 0 || delays.length > 0 || attention)
    values.push(
      effects.map(({ revision }) => revision),
      effects.map(({ position }) => position),
      effects.map(({ effect }) => effect),
      chain,
      trace && JSON.stringify(trace),
    );
  if (attention) values.push(...attentionValues(attention));
  if (delays.length > 0)
    values.push(
      delays.map(({ block }) => block),
      delays.map(({ until }) => until),
    );
  return values;
}

export function attentionValues({ group, revision, record }: AttentionWrite): unknown[] {
  const { places, starts, ended } = record;
  return [group, revision, JSON.stringify(places), JSON.stringify(starts), ended];
}

/** The parameters of the new state itself. */
export function stateValues(
  write: Pick<StateWrite, 'owner' | 'flow' | 'before' | 'after' | 'state' | 'recentKeys'>,
): unknown[] {
  const { flow, version, edition } = write.flow;
  const { before, after, state, recentKeys } = write;
  return [write.owner.userId, flow, version, before, after, edition, state, recentKeys];
}

/**
 * A row of `WRITE_STATES`. Written by hand, as most of it is JSON already, and ids and names of
 * flows need no escaping.
 */
export function rowOf(write: StateWrite, place: number): string {
  const { owner, flow, before, after, state, recentKeys, events, effects } = write;
  let row = `{"place":${place},"user_id":"${owner.userId}","flow":"${flow.flow}","version":${flow.version},"before":${before},"after":${after}`;
  row += `,"edition":${flow.edition},"state":${state},"keys":${JSON.stringify(recentKeys)},"events":[${events.join(',')}],"origin":"${owner.origin}"`;
  if (write.unasked > 0) row += `,"unasked":${write.unasked}`;
  if (owner.idempotencyKey !== null) row += `,"key":${JSON.stringify(owner.idempotencyKey)}`;
  if (owner.groupIdentifier !== null) row += `,"in_group":${JSON.stringify(owner.groupIdentifier)}`;
  if (effects.length > 0)
    row += `,"effects":[${effects.map(effectRow).join(',')}],"chain":${owner.chain},"trace":${JSON.stringify(owner.trace)}`;
  return `${row}}`;
}

const effectRow = ({ revision, position, effect }: EffectWrite): string =>
  `{"revision":${revision},"position":${position},"effect":${effect}}`;
