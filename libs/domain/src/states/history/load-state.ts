import type { EntityManager } from 'typeorm';
import { EMPTY_STATE, type FlowState } from '../../engine/index.js';
import { unknownUser } from '../../users/identifier.js';
import { userId } from '../../users/subject-id.js';
import { User } from '../../users/user.js';
import { FlowStateRow } from '../state/flow-state-row.js';

/**
 * The state as it is stored, neither migrated nor adapted; the empty one for a user who never came
 * near that version.
 */
export async function loadState(
  manager: EntityManager,
  environmentId: string,
  user: string,
  flow: string,
  version: number,
): Promise<FlowState> {
  const row = await manager.findOneBy(FlowStateRow, {
    userId: userId(environmentId, user),
    flow,
    version,
  });
  return row?.state ?? EMPTY_STATE;
}

/**
 * The highest version in which the user has a state; null where there is none. Throws
 * `user.unknown`.
 */
export async function loadVersionOfUser(
  manager: EntityManager,
  environmentId: string,
  user: string,
  flow: string,
): Promise<number | null> {
  const id = userId(environmentId, user);
  if (!(await manager.existsBy(User, { userId: id }))) throw unknownUser(user);
  return manager.maximum(FlowStateRow, 'version', { userId: id, flow });
}
