import type { Context } from '../../engine/index.js';
import { loadContexts } from '../reader/load-contexts.js';
import {
  loadHighestStates,
  loadStatesOf,
  type Member,
  readMembers,
  splitEqual,
} from '../reader/load-states.js';
import { readPages, type UserIdRange } from '../reader/read-pages.js';
import { dependsOnGroup, evaluate, type UserImpact, type UserPlace } from './evaluate.js';
import { ImpactCache } from './impact-cache.js';
import type { PlannedRow, PlanRun } from './plan-run.js';
import type { CountedUsers, PlanTally } from './plan-tally.js';

export interface PlanOptions {
  /**
   * Called after every page: the flow, users looked at, and how much of all is behind, from 0 to 1.
   */
  readonly onProgress?: (flow: string, users: number, done: number) => void;
  readonly signal?: AbortSignal;
}

/** What a page holds, in small states. */
const PAGE = 8_000;
/**
 * Characters of a state that take about as much room as everything else that comes with its user.
 */
const CHARACTERS_OF_ONE = 1_000;

/** Runs the engine for every user whom the version affects, page by page. */
export async function evaluateUsers(
  run: PlanRun,
  { onProgress, signal }: PlanOptions,
): Promise<{ users: number; isCut: boolean }> {
  const { scope, sample } = run;
  const impacts = new ImpactCache(run);
  let users = 0;
  const options = { wanted: PAGE, count: weightOfAll, ahead: 2, signal };
  for await (const { rows, done } of readPages((range) => loadPage(run, range), options)) {
    const left = sample - users;
    const isCut = countUsers(rows) > left;
    const seen = isCut ? splitEqual(rows).sort(byUserId).slice(0, left) : rows;
    await evaluatePage(run, impacts, seen);
    users += countUsers(seen);
    onProgress?.(scope.flow, users, done);
    if (isCut) return { users, isCut };
  }
  return { users, isCut: false };
}

/**
 * Users with what they find now, where it may be another state than the highest that they met
 * (S34).
 */
async function loadPage(
  { dataSource, scope, properties, entries, present }: PlanRun,
  range: UserIdRange,
): Promise<PlannedRow[]> {
  const rows = await loadHighestStates(dataSource, scope, range, { all: entries, properties });
  if (!entries || !present || present.version === scope.versions.at(-1)) return rows;
  const each = splitEqual(rows);
  const ids = each.map(({ userId }) => userId);
  const found = await loadStatesOf(dataSource, scope.flow, present.version, ids);
  return each.map((row) => ({ ...row, found: found.get(row.userId) ?? null }));
}

/** All properties are read only of users for whom they decide something. */
async function evaluatePage(
  run: PlanRun,
  impacts: ImpactCache,
  rows: readonly PlannedRow[],
): Promise<void> {
  const asking = new Map<string, PlannedUser>();
  for (const row of rows) {
    const known = impacts.of(row);
    if (known.impacts) {
      const identifiers = (): string[] => readMembers(row.members).map((user) => user.identifier);
      for (const [index, impact] of known.impacts.entries())
        count(run.scenarios[index]!.tally, impact, { users: row.users, identifiers });
    } else
      for (const { userId, identifier } of readMembers(row.members))
        asking.set(userId, { identifier, place: known.place });
  }
  for await (const contexts of loadContexts(run.dataSource, [...asking.keys()], {
    now: run.now,
    groups: asksGroups(run),
    events: eventsOf(run),
  })) {
    for (const [userId, context] of contexts) {
      await evaluateUser(run, userId, asking.get(userId)!, context);
    }
  }
}

const mayTrigger = ({ scenarios }: PlanRun): boolean =>
  [...scenarios[0]!.planned.compiled.byUid.values()].some(
    (block) => block.kind === 'effect' && block.effect.kind === 'flow-trigger',
  );

/** Of what users did, what a condition mentions, or might in a flow that is triggered (Z2). */
function eventsOf(run: PlanRun): readonly string[] | 'all' {
  const { entries, scenarios, present } = run;
  if (mayTrigger(run)) return 'all';
  const { events } = scenarios[0]!.planned.compiled;
  return entries ? [...events, ...(present?.compiled.events ?? [])] : events;
}

/** Groups are read where a condition mentions them, or might in a flow that is triggered. */
function asksGroups(run: PlanRun): boolean {
  const { entries, scenarios, present } = run;
  const { mentionsGroup } = scenarios[0]!.planned.compiled;
  return mentionsGroup || mayTrigger(run) || (entries && present?.compiled.mentionsGroup === true);
}

interface PlannedUser {
  readonly identifier: string;
  readonly place: UserPlace;
}

async function evaluateUser(
  run: PlanRun,
  userId: string,
  { identifier, place }: PlannedUser,
  context: Context,
): Promise<void> {
  for (const { planned, tally } of run.scenarios) {
    const impact = evaluate(run, planned, place, context);
    if (dependsOnGroup(run, planned, place, context)) tally.addDependent();
    count(tally, impact, { users: 1, identifiers: () => [identifier] });
    if (impact.ofMigration.effects.length === 0) continue;
    for (const block of await run.triggered.find(impact.ofMigration.effects, userId, context))
      tally.addEffect(block);
  }
}

function count(tally: PlanTally, { ofMigration, entry }: UserImpact, who: CountedUsers): void {
  tally.add(ofMigration, who);
  if (entry) tally.addEntry(entry, who);
}

const byUserId = (one: Member, other: Member): number => (one.userId < other.userId ? -1 : 1);

const countUsers = (rows: readonly PlannedRow[]): number =>
  rows.reduce((sum, { users }) => sum + users, 0);

/** What PostgreSQL goes through for a page, which is more than it sends. */
const weightOfAll = (rows: readonly PlannedRow[]): number =>
  rows.reduce(
    (sum, { users, state }) => sum + users * (1 + (state?.length ?? 0) / CHARACTERS_OF_ONE),
    0,
  );
