import type { DataSource } from 'typeorm';
import type { Context } from '../../engine/index.js';
import { loadContexts, loadNow } from '../pages/load-contexts.js';
import { type Page, readPages } from '../pages/read-pages.js';
import type { UserIdRange } from '../pages/user-id-ranges.js';
import { weightOf } from '../pages/weight.js';
import { foresee, type Meeting, type Outlook, wouldEnter } from './foresee.js';
import { loadEqual, loadStatesOf, loadUsers, type PlannedRow, type PlanScope } from './load-planned.js';
import type { PlanTally } from './plan-tally.js';
import type { Triggered } from './triggered.js';

export interface PlanOptions {
  /** Told after every page: the flow, users looked at, and how much of all is behind, from 0 to 1. */
  readonly onProgress?: (flow: string, users: number, done: number) => void;
  readonly signal?: AbortSignal;
}

/** One way in which users may meet the version, and what it comes to. */
interface Prospect {
  readonly meeting: Meeting;
  readonly tally: PlanTally;
}

interface Expedition {
  readonly dataSource: DataSource;
  readonly scope: PlanScope;
  readonly prospects: readonly Prospect[];
  readonly present: Meeting | null;
  readonly triggered: Triggered;
  readonly entries: boolean;
  readonly sample: number;
  readonly examples: number;
}

/** What happens to one user. */
interface Verdict {
  readonly outlook: Outlook;
  readonly entry: 'enter' | 'leave' | null;
}

/** What a page holds, in small states: about as many users, or ten times as many where most states are equal. */
const PAGE = 5_000;
const EQUAL_WEIGHT = 0.1;

/** For flows that ask nothing of anybody. */
const NOBODY: Context = {
  now: 0,
  user: { identifier: '', properties: {}, createdAt: null, updatedAt: null },
  group: null,
};

/** Runs the engine on everybody whom the version concerns, page by page. */
export async function lookAhead(
  expedition: Expedition,
  { onProgress, signal }: PlanOptions,
): Promise<{ users: number; isCut: boolean }> {
  const now = await loadNow(expedition.dataSource);
  const { scope, sample } = expedition;
  let users = 0;
  for await (const { rows, done } of pagesOf(expedition, signal)) {
    const seen = rows.slice(0, sample - users);
    await judgePage(expedition, seen, now);
    users += usersIn(seen);
    onProgress?.(scope.flow, users, done);
    if (seen.length < rows.length) return { users, isCut: true };
  }
  return { users, isCut: false };
}

function pagesOf(expedition: Expedition, signal: AbortSignal | undefined): AsyncGenerator<Page<PlannedRow>> {
  const { dataSource, scope, entries, sample, examples } = expedition;
  const together = !entries && sample === Infinity && !asksWho(expedition);
  return readPages((range) => (together ? loadEqual(dataSource, scope, range, examples) : loadSingle(expedition, range)), {
    wanted: PAGE,
    count: (rows) => weightOfAll(rows),
    signal,
  });
}

/** Users one by one, with what they find now where it may be another state than the highest that they met (S34). */
async function loadSingle({ dataSource, scope, entries, present }: Expedition, range: UserIdRange): Promise<PlannedRow[]> {
  const rows = await loadUsers(dataSource, scope, range, entries);
  if (!entries || !present || present.version === scope.latest) return rows;
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const found = await loadStatesOf(dataSource, scope.flow, present.version, ids);
  return rows.map((row) => ({ ...row, found: found.get(row.userId!) ?? null }));
}

function asksWho(expedition: Expedition): boolean {
  return expedition.prospects[0]!.meeting.compiled.hasBranch || mayTrigger(expedition);
}

function mayTrigger({ prospects }: Expedition): boolean {
  const blocks = [...prospects[0]!.meeting.compiled.byUid.values()];
  return blocks.some((block) => block.kind === 'effect' && block.effect.kind === 'flow-trigger');
}

/** Whether groups decide anything of a verdict. */
function asksGroup({ entries, prospects, present }: Expedition): boolean {
  return prospects[0]!.meeting.compiled.mentionsGroup || (entries && present?.compiled.mentionsGroup === true);
}

/** Whether a condition decides who enters, now or then. */
function asksTargeting({ entries, prospects, present }: Expedition): boolean {
  const isCondition = (meeting: Meeting | null): boolean => typeof meeting?.compiled.target === 'object';
  return entries && (isCondition(present) || isCondition(prospects[0]!.meeting));
}

async function judgePage(expedition: Expedition, rows: readonly PlannedRow[], now: number): Promise<void> {
  if (!asksWho(expedition) && !asksTargeting(expedition)) {
    for (const row of rows) await judgeRow(expedition, row, NOBODY);
    return;
  }
  const byId = new Map(rows.map((row) => [row.userId!, row]));
  const groups = asksGroup(expedition) || mayTrigger(expedition);
  for await (const contexts of loadContexts(expedition.dataSource, [...byId.keys()], { now, groups })) {
    for (const [userId, context] of contexts) await judgeRow(expedition, byId.get(userId)!, context);
  }
}

async function judgeRow(expedition: Expedition, row: PlannedRow, context: Context): Promise<void> {
  for (const { meeting, tally } of expedition.prospects) {
    const verdict = judge(expedition, meeting, row, context);
    if (dependsOnGroup(expedition, meeting, row, context)) tally.addDependent();
    tally.add(verdict.outlook, row.users, row.identifiers);
    if (verdict.entry) tally.addEntry(verdict.entry, row.identifiers);
    if (row.userId === null || verdict.outlook.effects.length === 0) continue;
    for (const block of await expedition.triggered.find(verdict.outlook.effects, row.userId, context)) tally.addEffect(block);
  }
}

/** Whether it matters which of several groups the application names; a single one is meant anyway (S33). */
function dependsOnGroup(expedition: Expedition, meeting: Meeting, row: PlannedRow, context: Context): boolean {
  const { groups = [] } = context;
  if (groups.length < 2 || !asksGroup(expedition)) return false;
  const verdicts = [context, ...groups.map((group) => ({ ...context, group }))].map((one) =>
    judge(expedition, meeting, row, one),
  );
  return new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size > 1;
}

function judge({ entries, present }: Expedition, meeting: Meeting, { met, found = met }: PlannedRow, context: Context): Verdict {
  const outlook = foresee(meeting, met, context);
  if (!entries) return { outlook, entry: null };
  const then = wouldEnter(meeting, met, context);
  const now = present !== null && wouldEnter(present, found, context);
  if (then === now) return { outlook, entry: null };
  return { outlook, entry: then ? 'enter' : 'leave' };
}

function usersIn(rows: readonly PlannedRow[]): number {
  let sum = 0;
  for (const { users } of rows) sum += users;
  return sum;
}

function weightOfAll(rows: readonly PlannedRow[]): number {
  let weight = 0;
  for (const { met, users } of rows) weight += (met ? weightOf(met.state) : 1) + users * EQUAL_WEIGHT;
  return weight;
}
