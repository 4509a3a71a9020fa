import type { Context, FlowState } from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import type { Subject } from '../../targeting/index.js';
import { withEvents } from '../../users/load-events.js';

/** A state as it is stored: of the requested version, or of an older one to migrate from (S28). */
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
  /** Time of the database, in milliseconds since 1970. */
  readonly now: number;
  /** Null where nothing of it was read, because no expression can ask for it. */
  readonly context: Context | null;
}

/**
 * Whether expressions may look at user and group: only in a flow neither entered nor left yet
 * (`when-fresh`), or also in one that runs.
 */
export type ContextNeed = 'never' | 'when-fresh' | 'when-running' | 'always';

export interface StateQuery {
  readonly userId: string;
  readonly groupId: string | null;
  readonly flow: Pick<ResolvedFlow, 'flow' | 'version' | 'edition'> & {
    readonly compiled?: Pick<ResolvedFlow['compiled'], 'mentionsGroup' | 'events'>;
  };
  readonly looks: ContextNeed;
}

/** A state as a statement brings it. */
export interface StateRow extends ContextRow {
  version: number | null;
  revision: number;
  edition: number;
  state: FlowState;
  recent_keys: string[] | null;
  /** Whether expressions may look at user and group, where any of the statement may. */
  looks?: boolean;
  now: number;
}

/** What expressions see, as far as the statement brings it. */
export interface ContextRow {
  /** With the first row of a user that looks. */
  user?: Context['user'] | null;
  /** With the first row of a group that looks. */
  group?: Context['group'];
  /** Of a user, with rows that look and name no group (S33). */
  groups?: Subject[] | null;
  /** Of a user, with rows that look and mention some (Z2). */
  events?: Subject['events'] | null;
}

/** With a context where the row says that expressions may look, and its user is there. */
export function toFound(row: StateRow, now: number, context: ContextRow | undefined): Found {
  const { version, revision, edition, state, recent_keys, looks } = row;
  const stored =
    version === null ? null : { version, revision, edition, state, recentKeys: recent_keys ?? [] };
  return {
    stored,
    now,
    context: looks && context?.user ? contextOf(now, context.user, context) : null,
  };
}

const contextOf = (now: number, user: Subject, { group, groups, events }: ContextRow): Context => ({
  now,
  user: withEvents(user, events),
  group: group ?? null,
  ...(groups && { groups }),
});
