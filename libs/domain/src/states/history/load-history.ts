import { Between, type EntityManager, LessThan } from 'typeorm';
import { type Cause, type Change, EMPTY_STATE, fold, type FlowState } from '../../engine/index.js';
import { invalidRequest } from '../../database/errors/index.js';
import { unlessNewer } from '../../flows/versions/unknown.js';
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

/** A page of the recorded events of one state, oldest first. */
export interface History {
  readonly flow: string;
  readonly version: number;
  readonly events: readonly HistoryEvent[];
  /** Events up to this revision were deleted (E12); 0 where all are kept. */
  readonly deletedTo: number;
  /** Whether earlier events than those of the page are kept. */
  readonly hasEarlier: boolean;
}

export interface HistoryOptions {
  /** The highest committed version with a state of the user when left out, else version 0. */
  readonly version?: number;
  /** Only events before that revision. */
  readonly before?: number;
  /** Events of the page, the newest ones; 1,000 when left out. */
  readonly limit?: number;
}

/** The recorded events of one state (S6), a page at a time. Throws `user.unknown`. */
export async function loadHistory(
  manager: EntityManager,
  environmentId: string,
  user: string,
  flow: string,
  { version, before, limit = 1_000 }: HistoryOptions = {},
): Promise<History> {
  const key = await findState(manager, environmentId, user, flow, version);
  const older = before === undefined ? {} : { revision: LessThan(before) };
  const rows = await manager.find(FlowEventRow, {
    where: { ...key, ...older },
    order: { revision: 'DESC' },
    take: limit,
  });
  const first = await manager.minimum(FlowEventRow, 'revision', key);
  const state = await manager.findOneBy(FlowStateRow, key);
  const events = rows.reverse().map(({ revision, at, event }) => ({
    revision,
    at,
    command: event.cause,
    changes: event.changes,
  }));
  return {
    flow,
    version: key.version,
    events,
    deletedTo: first === null ? (state?.revision ?? 0) : first - 1,
    hasEarlier: first !== null && first < (events[0]?.revision ?? before ?? first),
  };
}

/** Rows that are in memory at once while a state is put together. */
const PAGE = 1_000;

/**
 * The state as it was after a revision, put together from its events page by page. Throws
 * `user.unknown`, and `request.invalid` for what never was and for what is no longer known.
 */
export async function loadStateAt(
  manager: EntityManager,
  environmentId: string,
  user: string,
  flow: string,
  { version, at }: { readonly version?: number; readonly at: number },
): Promise<{ flow: string; version: number; state: FlowState }> {
  const key = await findState(manager, environmentId, user, flow, version);
  const stored = await manager.findOneBy(FlowStateRow, key);
  const first = await manager.minimum(FlowEventRow, 'revision', key);
  checkRevision(`flow ${flow} of user ${user}`, first, stored?.revision ?? 0, at);
  let state: FlowState = EMPTY_STATE;
  for (let after = 0; after < at; after += PAGE) {
    const page = await manager.find(FlowEventRow, {
      where: { ...key, revision: Between(after + 1, Math.min(after + PAGE, at)) },
      order: { revision: 'ASC' },
    });
    const from = state;
    const read = page.map(({ event }) => event);
    state = unlessNewer(flow, key.version, () => fold(read, from));
  }
  return { flow, version: key.version, state };
}

async function findState(
  manager: EntityManager,
  environmentId: string,
  user: string,
  flow: string,
  version?: number,
): Promise<{ userId: string; flow: string; version: number }> {
  const highest = await loadVersionOfUser(manager, environmentId, user, flow);
  return { userId: userId(environmentId, user), flow, version: version ?? highest ?? 0 };
}

/** Former states are known only from the first event on. */
function checkRevision(state: string, first: number | null, last: number, revision: number): void {
  if (revision > last || last === 0) {
    const known = last === 0 ? 'there is no state at all' : `the last revision is ${last}`;
    throw invalidRequest(`${state} never had revision ${revision}: ${known}`);
  }
  if (first === 1) return;
  const gone = first === null ? 'its events' : `its events before revision ${first}`;
  throw invalidRequest(`${state} cannot be told as it was: ${gone} were deleted`);
}
