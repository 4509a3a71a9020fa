import type { Command, FlowDefinition, FlowState } from '@waymark/domain/engine';
import fc from 'fast-check';
import { isContainer, isExposed, namesOf } from '../reference/inspect-definition.js';

/** What to do next, whatever the flow and its state then are. */
export type CommandPlan =
  | { readonly kind: 'start' | 'reset'; readonly force: boolean }
  | { readonly kind: 'stop' | 'finish' }
  /** `at` picks a delay, one that waits if there is one. */
  | { readonly kind: 'continue'; readonly at: number }
  /** `at` picks a block, an active one unless `anywhere`; `names` pick out of its names. */
  | {
      readonly kind: 'transition';
      readonly at: number;
      readonly anywhere: boolean;
      readonly names: readonly number[];
    };

/**
 * Plans for commands, mostly transitions of active blocks, since everything else soon ends a flow.
 */
export function commandPlans(): fc.Arbitrary<CommandPlan[]> {
  const transition = fc.record({
    kind: fc.constant<'transition'>('transition'),
    at: fc.nat(99),
    anywhere: fc.nat(4).map((number) => number === 4),
    names: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
  });
  const plan: fc.Arbitrary<CommandPlan> = fc.oneof(
    { arbitrary: transition, weight: 20 },
    {
      arbitrary: fc.record({ kind: fc.constantFrom('start', 'reset'), force: fc.boolean() }),
      weight: 3,
    },
    { arbitrary: fc.record({ kind: fc.constantFrom('stop', 'finish') }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('continue'), at: fc.nat(99) }), weight: 5 },
  );
  const opening: CommandPlan = { kind: 'start', force: true };
  return fc
    .array(plan, { maxLength: 16 })
    .chain((plans) =>
      fc.constantFrom(...Array.from({ length: 5 }, () => [opening, ...plans]), plans),
    );
}

/** The command that a plan comes to in this flow and state. Names are always valid ones (S13). */
export function planned(definition: FlowDefinition, state: FlowState, plan: CommandPlan): Command {
  if (plan.kind === 'continue') return plannedDelay(definition, state, plan.at);
  if (plan.kind !== 'transition') return plan;
  const exposed = definition.blocks.filter(isExposed);
  const uids = exposed
    .flatMap((block) => [block, ...(isContainer(block) ? block.items : [])])
    .map(({ uid }) => uid);
  const named = uids.filter((uid) => namesOf(definition, uid).length > 0);
  const active = named.filter((uid) => state.blocks[uid]?.active);
  const choice = plan.anywhere || active.length === 0 ? named : active;
  const block = choice[plan.at % choice.length];
  if (block === undefined) return { kind: 'start', force: true };
  const valid = namesOf(definition, block);
  const names = [...new Set(plan.names.map((number) => valid[number % valid.length] ?? ''))];
  // `next` and `previous` contradict each other (S13).
  return { kind: 'transition', block, names: names.includes('next') ? ['next'] : names };
}

function plannedDelay(
  { blocks }: FlowDefinition,
  { waiting = {} }: FlowState,
  at: number,
): Command {
  const delays = blocks.filter(({ type }) => type === 'delay').map(({ uid }) => uid);
  const waits = Object.keys(waiting).sort();
  const choice = waits.length > 0 ? waits : delays;
  const block = choice[at % choice.length];
  return block === undefined ? { kind: 'start', force: true } : { kind: 'continue', block };
}
