import { Batcher, type BatchLimits } from '../../database/batcher.js';
import type { Database } from '../../database/database.js';
import { type Found, type StateQuery, type StateRow, toFound } from './found-state.js';
import { loadEach } from './load-each.js';
import { loadList } from './load-list.js';
import type { Context } from '../../engine/index.js';
import { LOAD_STATES, contextScope } from './load-statements.js';

export type { ContextNeed, Found, StoredState } from './found-state.js';

export const READ_LIMITS: BatchLimits = {
  maxInFlight: 4,
  // A read is quick and flushes nothing, so it does not pay to wait for others.
  enoughRows: 0,
  maxWaitMs: 0,
  rows: 64,
  characters: Infinity,
  waiting: 5_000,
  waitingCharacters: Infinity,
  patienceMs: 2_000,
};

/** Reads states; those requested at the same time share a statement. */
export class FlowStateReader {
  private readonly batcher: Batcher<StateQuery, Found | undefined>;

  constructor(
    private readonly database: Database,
    limits: Partial<BatchLimits> = {},
  ) {
    this.batcher = new Batcher((all) => this.load(all), { ...READ_LIMITS, ...limits });
  }

  /**
   * As it is now or later, never as it was before the call; undefined for a user who was never
   * identified (B3).
   */
  find(asked: StateQuery): Promise<Found | undefined> {
    return this.batcher.add(asked);
  }

  /**
   * As `find`, for many flows of one user in one group or none, with a statement of its own (B13).
   */
  async findAll(all: readonly StateQuery[]): Promise<(Found | undefined)[]> {
    const load = (await this.database.isDistributed()) ? loadEach : loadList;
    return load(this.database, all);
  }

  private async load(all: readonly StateQuery[]): Promise<(Found | undefined)[]> {
    const load = (await this.database.isDistributed()) ? loadEach : loadTogether;
    return load(this.database, all);
  }
}

/**
 * All of them with one statement, in their order; undefined for users who were never identified.
 */
export async function loadTogether(
  database: Database,
  all: readonly StateQuery[],
): Promise<(Found | undefined)[]> {
  const found = new Array<Found | undefined>(all.length);
  const rows = await database.run<StateRow & { place: number }>(LOAD_STATES[contextScope(all)], [
    `[${all.map(toRow).join(',')}]`,
  ]);
  const users = new Map<string, Context['user']>();
  const groups = new Map<string | null, Context['group'] | undefined>();
  for (const { place, user, group } of rows) {
    if (user) users.set(all[place]!.userId, user);
    if (group) groups.set(all[place]!.groupId, group);
  }
  for (const row of rows) {
    const { userId, groupId } = all[row.place]!;
    const { groups: own, events } = row;
    const context = { user: users.get(userId), group: groups.get(groupId), groups: own, events };
    found[row.place] = toFound(row, row.now, context);
  }
  return found;
}

/** Written by hand: ids and identifiers of flows need no escaping. */
function toRow(
  { userId, groupId, flow: { flow, version, edition, compiled }, looks }: StateQuery,
  place: number,
): string {
  const all = compiled?.mentionsGroup ? ',"in_groups":true' : '';
  const group = groupId === null ? all : `,"group_id":"${groupId}"`;
  const events = compiled?.events.length ? `,"events":${JSON.stringify(compiled.events)}` : '';
  return `{"place":${place},"user_id":"${userId}","flow":"${flow}","version":${version},"edition":${edition},"looks":"${looks}"${group}${events}}`;
}
