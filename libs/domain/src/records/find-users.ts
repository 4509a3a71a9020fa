import type { DataSource } from 'typeorm';
import { invalidRequest } from '../database/errors/index.js';
import type { FlowState } from '../engine/index.js';
import type { Expression } from '../targeting/index.js';
import { expandCondition, readCondition } from '../states/index.js';
import { loadMatching, loadNow } from '../analysis/index.js';
import type { ListedUser } from './list-users.js';
import {
  type FindOptions,
  type LoadedUsers,
  loadUserPages,
  type UserFilter,
  type UserRow,
} from './load-user-pages.js';
import { activeIn, loadBlockLocations, type BlockLocations } from './block-locations.js';

export interface FoundUser extends ListedUser {
  /**
   * Where the filter names a flow; `active` has the blocks where the user is, in the order of the
   * definition.
   */
  readonly place?: Pick<FlowState, 'started' | 'stopped' | 'finished'> & {
    readonly version: number;
    readonly active: string[];
  };
}

interface UserPage {
  readonly users: readonly FoundUser[];
  /** The `after` of the next page; missing where all users were looked at. */
  readonly next?: string;
}

/**
 * Users that one page looks at, about, however few of them fit: a condition is evaluated for each.
 */
const MOST_LOOKED_AT = 20_000;

/**
 * One page of `findUsers`, within a bound: `limit` users, or fewer and `next` once some 20,000 were
 * looked at. Throws as `findUsers` does.
 */
export async function findUserPage(
  dataSource: DataSource,
  environmentId: string,
  filter: UserFilter,
  options: FindOptions & { readonly limit: number },
): Promise<UserPage> {
  const users: FoundUser[] = [];
  let lookedAt = 0;
  let last: string | undefined;
  for await (const page of searchUsers(dataSource, environmentId, filter, options)) {
    users.push(...page.fitting.slice(0, options.limit - users.length));
    if (users.length === options.limit) return { users, next: users.at(-1)!.identifier };
    lookedAt += page.lookedAt;
    last = page.last ?? last;
    if (last !== undefined && lookedAt >= MOST_LOOKED_AT) return { users, next: last };
  }
  return { users };
}

/**
 * The users of an environment who fit: by identifier where the filter is nothing but its beginning
 * or nothing at all, or where it has a beginning; otherwise in the order of their ids, which are
 * hashes (ADR 18). No lock is held between two pages. Throws `flow.unknown`, `version.unknown`,
 * `block.unknown`, and `request.invalid` for a condition that cannot be read, a beginning that no
 * identifier has, or the goal of a flow that has none.
 */
export async function* findUsers(
  dataSource: DataSource,
  environmentId: string,
  filter: UserFilter,
  options: FindOptions = {},
): AsyncGenerator<FoundUser> {
  let left = options.limit ?? Infinity;
  for await (const { fitting, done } of searchUsers(dataSource, environmentId, filter, options)) {
    yield* fitting.slice(0, left);
    left -= fitting.length;
    if (left <= 0) return;
    if (done !== undefined) options.onProgress?.(done);
  }
}

interface SearchedPage extends Omit<LoadedUsers, 'rows'> {
  readonly fitting: readonly FoundUser[];
}

async function* searchUsers(
  dataSource: DataSource,
  environmentId: string,
  filter: UserFilter,
  options: FindOptions,
): AsyncGenerator<SearchedPage> {
  const condition =
    filter.when === undefined
      ? null
      : readCondition(await expandCondition(dataSource.manager, filter.when));
  const { flow, block } = filter;
  const where =
    flow === undefined
      ? null
      : await loadBlockLocations(dataSource, environmentId, { ...filter, flow });
  const goal = filter.goal && { isMet: filter.goal === 'met', condition: goalOf(flow, where) };
  const now = await loadNow(dataSource);
  const pages = loadUserPages(dataSource, { environmentId, filter, where, options });
  for await (const { rows, ...page } of pages) {
    const found = rows.map((row) => ({ id: row.userId, user: foundUser(row, where) }));
    let fitting = found.filter(
      ({ user }) => block === undefined || user.place!.active.includes(block),
    );
    const matching = (condition: Expression) =>
      loadMatching(
        dataSource,
        fitting.map(({ id }) => id),
        condition,
        now,
      );
    if (condition) {
      const holds = await matching(condition);
      fitting = fitting.filter(({ id }) => holds.has(id));
    }
    if (goal) {
      fitting = fitting.filter(
        ({ user: { place } }) => place!.started && (goal.isMet || place!.finished),
      );
      const met = await matching(goal.condition);
      fitting = fitting.filter(({ id }) => met.has(id) === goal.isMet);
    }
    yield { ...page, fitting: fitting.map(({ user }) => user) };
  }
}

function goalOf(flow: string | undefined, where: BlockLocations | null): Expression {
  if (where?.goal) return where.goal;
  throw invalidRequest(
    where ? `flow ${flow} has no goal` : 'a goal is that of a flow: say which flow',
  );
}

function foundUser(
  { identifier, createdAt, updatedAt, version, state }: UserRow,
  where: BlockLocations | null,
): FoundUser {
  const listed = { identifier, createdAt, updatedAt };
  if (!state || !where) return listed;
  const { started, stopped, finished } = state;
  return {
    ...listed,
    place: {
      version: version!,
      started,
      stopped,
      finished,
      active: activeIn(where, version!, state),
    },
  };
}
