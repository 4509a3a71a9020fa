import { type Author, recordWork } from '../../database/audit/index.js';
import type { Command } from '../../engine/index.js';
import type { VersionRef } from '../../flows/catalogue/resolved-flow.js';
import { userId } from '../../users/subject-id.js';
import type { OperatorAccess } from './operator-access.js';
import type { CommandResult } from './run-command.js';

interface IntentOfOperator {
  readonly user: string;
  readonly group?: string;
  readonly flow: string;
  readonly version: VersionRef;
  /** What a client can ask of a flow. */
  readonly intent: Exclude<Command, { kind: 'transition' }>;
}

/**
 * Starts, resets, stops or finishes a flow for one user, as the same request would. Throws
 * `flow.unknown`, `version.unknown`, `user.unknown`, and `service.overloaded` when too many others
 * write the same state.
 */
export function commandState(
  { dataSource, catalogue, runner, changes }: OperatorAccess,
  environmentId: string,
  { user, group, flow, version, intent }: IntentOfOperator,
  author: Author,
): Promise<CommandResult> {
  const act = {
    action: `state.${intent.kind}`,
    userId: userId(environmentId, user),
    environmentId,
  };
  return recordWork(dataSource, act, author, async (notes) => {
    const resolved = await catalogue.getFlow(flow, version, environmentId);
    notes.subject = `${flow} version ${resolved.version}`;
    const actor = { environmentId, user, ...(group !== undefined && { group }) };
    const result = await runner.run(resolved, actor, intent, { byOperator: true });
    await changes.flush?.();
    notes.result = { tookEffect: result.tookEffect, revision: result.revision };
    return result;
  });
}
