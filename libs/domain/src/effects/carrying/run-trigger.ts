import { commandFor, type Effect } from '../../engine/index.js';
import { DomainError } from '../../errors/index.js';
import type { RunCommand } from '../../flow-states/command/run-command.js';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import type { ClaimedEffect } from '../queue/claimed-effect.js';
import { HopelessEffect } from './effect-failure.js';

export type Trigger = Extract<Effect, { kind: 'flow-trigger' }>;

/** Links of a chain that are carried out; one more is recorded as failed (S19). */
const LONGEST_CHAIN = 25;

/** What a repeat does not change. */
const HOPELESS = new Set(['flow.unknown', 'version.unknown', 'user.unknown']);

/**
 * Runs the command of a trigger on the other flow, for the same user and group, through the same use case as a request.
 * Its id is the idempotency key, so that a repeat does nothing (S19).
 */
export async function runTrigger(claimed: ClaimedEffect<Trigger>, runner: RunCommand, catalogue: FlowCatalogue): Promise<void> {
  const { effect, environmentId, user, group, id, chain, trace } = claimed;
  if (chain >= LONGEST_CHAIN)
    throw new HopelessEffect('chain.too-long', `a chain of flow triggers ends after ${LONGEST_CHAIN} links`);
  try {
    const flow = await catalogue.getFlow(effect.flow, effect.version, environmentId);
    const actor = { environmentId, user, ...(group !== null && { group }) };
    await runner.run(flow, actor, commandFor(effect.intent, true), {
      idempotencyKey: id,
      chain: chain + 1,
      ...(trace && { trace }),
    });
  } catch (error) {
    const isHopeless = error instanceof DomainError && HOPELESS.has(error.code);
    throw isHopeless ? new HopelessEffect(error.code, error.message, { cause: error }) : error;
  }
}
