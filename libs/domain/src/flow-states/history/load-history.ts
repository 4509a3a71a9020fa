import type { EntityManager } from 'typeorm';
import { type Cause, type Change, fold, type FlowState } from '../../engine/index.js';
import { invalidRequest } from '../../errors/index.js';
import { userId } from '../../users/subject-id.js';
import { FlowEventRow } from '../state/flow-event-row.js';
import { FlowStateRow } from '../state/flow-state-row.js';
import { loadVersionOfUser } from './load-state.js';

export interface HistoryEvent {
  readonly revision: number;
  readonly at: Date;
  readonly command: Cause;
  readonly changes: readonly Change[];
}

export interface History {
  readonly flow: string;
  readonly version: number;
  readonly events: readonly HistoryEvent[];
  /** The state after the last of the events, where none is archived. */
  readonly state: FlowState;
}

export interface HistoryOptions {
  /** The highest committed version with a state of the user when left out, else version 0. */
  readonly version?: number;
  /** As it was then; everything when left out. */
  readonly at?: number;
}

/** The recorded events of one state, oldest first (S6). Throws `user.unknown`, and `request.invalid` for what never was. */
export async function loadHistory(
  manager: EntityManager,
  environmentId: string,
  user: string,
  flow: string,
  options: HistoryOptions = {},
): Promise<History> {
  const highest = await loadVersionOfUser(manager, environmentId, user, flow);
  const where = { userId: userId(environmentId, user), flow, version: options.version ?? highest ?? 0 };
  const rows = await manager.find(FlowEventRow, { where, order: { revision: 'ASC' } });
  if (options.at !== undefined) {
    const state = await manager.findOneBy(FlowStateRow, where);
    checkRevision(`flow ${flow} of user ${user}`, rows[0]?.revision, state?.revision ?? 0, options.at);
  }
  const seen = rows.filter(({ revision }) => revision <= (options.at ?? Infinity));
  return {
    flow,
    version: where.version,
    events: seen.map(({ revision, at, event }) => ({ revision, at, command: event.cause, changes: event.changes })),
    state: fold(seen.map(({ event }) => event)),
  };
}

/** What a state was can only be told from its first event on. */
function checkRevision(state: string, first: number | undefined, last: number, revision: number): void {
  if (revision > last || last === 0) {
    const known = last === 0 ? 'there is no state at all' : `the last revision is ${last}`;
    throw invalidRequest(`${state} never had revision ${revision}: ${known}`);
  }
  if (first === 1) return;
  const gone = first === undefined ? 'its events' : `its events before revision ${first}`;
  throw invalidRequest(`${state} cannot be told as it was: ${gone} are archived`);
}
