import type { DataSource } from 'typeorm';
import { loadContexts, loadNow, readPages, sampleOf, type UserIdRange } from '../analysis/index.js';
import type { Context } from '../targeting/index.js';
import { userId } from '../users/subject-id.js';

/** For how many users a condition holds. */
export interface MatchingUsers {
  readonly matching: number;
  readonly lookedAt: number;
  /** Only where not everybody was looked at: how far off the share may be (E13). */
  readonly margin?: number;
}

/** Some users for whom a condition holds, in the order of their ids, which are hashes (ADR 18). */
export interface MatchingPage {
  /** Their identifiers. */
  readonly users: readonly string[];
  /** How many this page looked at. */
  readonly lookedAt: number;
  /** The `after` of the next page; missing where all users were looked at. */
  readonly next?: string;
  /** How much of all users is behind with this page, from 0 to 1. */
  readonly done: number;
}

export interface MatchOptions {
  /** Whether the condition looks at `group`: only then are groups read (S33). */
  readonly groups: boolean;
  /** Names of the events that it looks at (Z2). */
  readonly events?: readonly string[];
  /** For which of these the condition holds. */
  readonly holds: (contexts: readonly Context[]) => Promise<readonly boolean[]>;
  /** Ends the search where it is, after at least one user. */
  readonly deadline: AbortSignal;
}

/** One count or page looks at no more: those with the lowest ids represent all (ADR 18). */
const MOST = 10_000;
const PAGE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const USERS = `SELECT user_id AS id, identifier FROM users
  WHERE environment_id = $1 AND user_id BETWEEN $2 AND $3 AND user_id > $4 ORDER BY user_id`;

/**
 * Counts users of an environment for whom a condition holds: all of at most 10,000, else the first
 * 10,000 ids (T15).
 */
export async function countMatching(
  dataSource: DataSource,
  environmentId: string,
  options: MatchOptions,
): Promise<MatchingUsers> {
  let [matching, lookedAt] = [0, 0];
  for await (const page of lookThrough(dataSource, environmentId, options)) {
    matching += page.matching.length;
    lookedAt += page.lookedAt;
    if (page.isCut) return { matching, lookedAt, margin: sampleOf(lookedAt).margin };
  }
  return { matching, lookedAt };
}

/**
 * One page of the users for whom a condition holds: `limit` of them behind `after`, or fewer and
 * `next` once 10,000 were looked at or the time is up, so that page by page all users are reached,
 * however many there are (T17).
 */
export async function findMatchingPage(
  dataSource: DataSource,
  environmentId: string,
  { limit, after, ...options }: MatchOptions & { readonly limit: number; readonly after?: string },
): Promise<MatchingPage> {
  const from = after === undefined ? BEFORE_ALL : userId(environmentId, after);
  const users: string[] = [];
  let lookedAt = 0;
  const pageTo = (next: string): MatchingPage => {
    const done = Number.parseInt(userId(environmentId, next).slice(0, 8), 16) / 2 ** 32;
    return { users, lookedAt, next, done };
  };
  for await (const page of lookThrough(dataSource, environmentId, options, from)) {
    lookedAt += page.lookedAt;
    users.push(...page.matching.slice(0, limit - users.length));
    if (users.length === limit) return pageTo(users.at(-1)!);
    if (page.isCut) return pageTo(page.last);
  }
  return { users, lookedAt, done: 1 };
}

interface PageResult {
  readonly matching: readonly string[];
  readonly lookedAt: number;
  /** The identifier of the last user who was looked at. */
  readonly last: string;
  /** Whether the search ended before all users were looked at. */
  readonly isCut: boolean;
}

async function* lookThrough(
  dataSource: DataSource,
  environmentId: string,
  { groups, events = [], holds, deadline }: MatchOptions,
  from = BEFORE_ALL,
): AsyncGenerator<PageResult> {
  const now = await loadNow(dataSource);
  const load = (range: UserIdRange): Promise<{ id: string; identifier: string }[]> =>
    dataSource.query(USERS, [environmentId, range.from, range.to, from]);
  let left = MOST;
  let last = '';
  for await (const { rows, done } of readPages(load, { wanted: PAGE, from })) {
    if (rows.length === 0) continue;
    if (left === 0) return yield { matching: [], lookedAt: 0, last, isCut: true };
    const page = rows.slice(0, left);
    left -= page.length;
    const ids = page.map(({ id }) => id);
    const matching: string[] = [];
    let lookedAt = 0;
    for await (const contexts of loadContexts(dataSource, ids, { now, groups, events })) {
      const all = [...contexts.values()];
      const isMatching = await holds(all);
      matching.push(
        ...all.flatMap(({ user }, index) => (isMatching[index] ? [user.identifier] : [])),
      );
      lookedAt += all.length;
    }
    last = page.at(-1)!.identifier;
    const isCut = page.length < rows.length || (deadline.aborted && done < 1);
    yield { matching, lookedAt, last, isCut };
    if (isCut) return;
  }
}
