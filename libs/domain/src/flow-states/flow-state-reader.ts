import { Batcher, type BatchLimits } from '../database/batcher.js';
import type { Database } from '../database/database.js';
import type { Context, FlowState } from '../engine/index.js';
import type { Subject } from '../targeting/index.js';
import type { ResolvedFlow } from '../flows/resolved-flow.js';
import { LOAD_STATES } from './flow-state-statements.js';

/** A state as it is stored: of the version asked for, or of an older one to migrate from (S28). */
export interface StoredState {
  readonly version: number;
  readonly revision: number;
  readonly edition: number;
  readonly state: FlowState;
  readonly recentKeys: readonly string[];
}

export interface Found {
  /** Null for a user who has none, in this version or in an older one. */
  readonly stored: StoredState | null;
  /** Null where nothing of it was read, because no expression can ask for it. */
  readonly context: Context | null;
}

/** Whether expressions may look at user and group: only in a flow neither entered nor left yet, for instance. */
export type ContextNeed = 'never' | 'when-fresh' | 'always';

interface StateQuery {
  readonly userId: string;
  readonly groupId: string | null;
  readonly flow: Pick<ResolvedFlow, 'flow' | 'version' | 'edition'> & {
    readonly compiled?: Pick<ResolvedFlow['compiled'], 'mentionsGroup'>;
  };
  readonly looks: ContextNeed;
}

interface StateRow {
  place: number;
  version: number | null;
  revision: number;
  edition: number;
  state: FlowState;
  recent_keys: string[] | null;
  /** Whether expressions may look at user and group. */
  looks: boolean;
  now: number;
  /** With the first row of a user that looks. */
  user: Context['user'] | null;
  /** With the first row of a group that looks. */
  group: Context['group'];
  /** Of a user, with rows that look and name no group (S33). */
  groups: Subject[] | null;
}

const LIMITS: BatchLimits = {
  maxInFlight: 4,
  // A read is quick and flushes nothing: company is not worth waiting for.
  enoughRows: 0,
  maxWaitMs: 0,
  rows: 64,
  characters: Infinity,
  waiting: 5_000,
  waitingCharacters: Infinity,
  patienceMs: 2_000,
};

/** Reads states; those asked for at the same time share a statement. */
export class FlowStateReader {
  private readonly batcher: Batcher<StateQuery, Found | undefined>;

  constructor(private readonly database: Database) {
    this.batcher = new Batcher((all) => this.load(all), LIMITS);
  }

  /** As it is now or later, never as it was before the call; undefined for a user who was never identified (B3). */
  find(asked: StateQuery): Promise<Found | undefined> {
    return this.batcher.add(asked);
  }

  /** As `find`, all with one statement of their own (B13). */
  findAll(all: readonly StateQuery[]): Promise<(Found | undefined)[]> {
    return this.load(all);
  }

  private async load(all: readonly StateQuery[]): Promise<(Found | undefined)[]> {
    const found = new Array<Found | undefined>(all.length);
    const rows = await this.database.run<StateRow>(LOAD_STATES, [`[${all.map(toRow).join(',')}]`]);
    const users = new Map<string, Context['user']>();
    const groups = new Map<string | null, Context['group']>();
    for (const { place, user, group } of rows) {
      if (user) users.set(all[place]!.userId, user);
      if (group) groups.set(all[place]!.groupId, group);
    }
    for (const row of rows) {
      const { userId, groupId } = all[row.place]!;
      const user = users.get(userId);
      found[row.place] = toFound(row, row.looks && user ? contextOf(row, user, groups.get(groupId)) : null);
    }
    return found;
  }
}

/** Written by hand: ids and identifiers of flows need no escaping. */
function toRow({ userId, groupId, flow: { flow, version, edition, compiled }, looks }: StateQuery, place: number): string {
  const all = compiled?.mentionsGroup ? ',"in_groups":true' : '';
  const group = groupId === null ? all : `,"group_id":"${groupId}"`;
  return `{"place":${place},"user_id":"${userId}","flow":"${flow}","version":${version},"edition":${edition},"looks":"${looks}"${group}}`;
}

function contextOf({ now, groups }: StateRow, user: Subject, group: Subject | null = null): Context {
  return { now, user, group, ...(groups && { groups }) };
}

function toFound({ version, revision, edition, state, recent_keys }: StateRow, context: Context | null): Found {
  const stored = version === null ? null : { version, revision, edition, state, recentKeys: recent_keys ?? [] };
  return { stored, context };
}
