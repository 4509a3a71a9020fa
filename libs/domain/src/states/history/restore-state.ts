import { type Author, recordWork } from '../../database/audit/index.js';
import { userId } from '../../users/subject-id.js';
import { loadStateAt } from './load-history.js';
import { loadVersionOfUser } from './load-state.js';
import type { OperatorAccess } from '../command/operator-access.js';
import type { CommandResult } from '../command/run-command.js';

interface WantedState {
  readonly user: string;
  readonly flow: string;
  readonly version: number;
  /** The state becomes what it was after this revision; 0 is the empty one. */
  readonly revision: number;
  /**
   * Undoes what made the state that of this revision; without effect where the user has moved on
   * (I6).
   */
  readonly ifRevision?: number;
}

interface Restored extends CommandResult {
  /**
   * A higher committed version in which the user has a state, which readers of `latest` see
   * instead; else null.
   */
  readonly newerVersion: number | null;
}

/**
 * Gives a user a former state back, as a new event (I5). In version 0 it is fitted to the present
 * definition in the same commit. Throws `user.unknown`, `flow.unknown`, `version.unknown`, and
 * `request.invalid` for a revision that never was or whose events are no longer kept.
 */
export function restoreState(
  { dataSource, catalogue, runner, changes }: OperatorAccess,
  environmentId: string,
  { user, flow, version, revision, ifRevision }: WantedState,
  author: Author,
): Promise<Restored> {
  const act = { action: 'state.restore', userId: userId(environmentId, user), environmentId };
  return recordWork(dataSource, act, author, async (notes) => {
    const resolved = await catalogue.getFlow(flow, version);
    notes.subject = `${flow} version ${version}`;
    const { state } = await loadStateAt(dataSource.manager, environmentId, user, flow, {
      version,
      at: revision,
    });
    const wanted = {
      ...({ kind: 'restore', revision, state } as const),
      ...(ifRevision !== undefined && { ifRevision }),
    };
    const result = await runner.run(resolved, { environmentId, user }, wanted, {
      byOperator: true,
    });
    await changes.flush?.();
    notes.result = { to: revision, tookEffect: result.tookEffect, revision: result.revision };
    const highest = await loadVersionOfUser(dataSource.manager, environmentId, user, flow);
    return {
      ...result,
      newerVersion: version > 0 && highest !== null && highest > version ? highest : null,
    };
  });
}
