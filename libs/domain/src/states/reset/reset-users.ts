import type { DataSource } from 'typeorm';
import { type Author, recordWork } from '../../database/audit/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import { evaluateCondition, parseExpression, type Subject } from '../../targeting/index.js';
import { memberGroups, memberGroupsJson, subjectJson } from '../../users/subject-json.js';
import { loadEvents, withEvents } from '../../users/load-events.js';
import type { LongWork } from '../command/operator-access.js';
import { FIRST_USER, pageThrough, shareBehind } from './page-through.js';
import { expandCondition, readCondition } from './read-condition.js';
import { countsOf, type ResetCounts, ResetRun } from './reset-run.js';
import type { RunCommand } from '../command/run-command.js';
import type { StateChanges } from '../state/state-changes.js';

interface ResetOptions extends LongWork<ResetCounts> {
  /** An expression over the user (S29); everybody without. */
  readonly when?: string;
  readonly force: boolean;
  /** Only counts the users it would be for. */
  readonly dryRun?: boolean;
  /** Called with the users it is for, page by page, before they are reset. */
  readonly onMatched?: (users: readonly string[]) => void;
  /** Called when an earlier run that was killed is continued. */
  readonly onResume?: (began: Date, counts: ResetCounts) => void;
}

/** The result of a reset of many users. */
export interface ResetDone extends ResetCounts {
  /** The id of the run, for undoing it; null for a dry run. */
  readonly run: string | null;
}

interface Candidate {
  userId: string;
  identifier: string;
  subject: Subject | null;
  /** Where the condition may look at groups (S33). */
  groups: readonly Subject[] | null;
  now: number;
}

/** Users of a page; fewer where their properties are read, which may be 1 MiB each. */
const PAGE = { plain: 50, withProperties: 50 };

const candidates = (properties: string) => `
  SELECT s.user_id AS "userId", u.identifier, floor(extract(epoch FROM now()) * 1000)::float8 AS now, ${properties} AS subject, NULL AS groups
  FROM flow_states s JOIN users u ON u.user_id = s.user_id
  WHERE s.flow = $1 AND s.version = $2 AND s.user_id > $3 AND u.environment_id = $4 ORDER BY s.user_id LIMIT $5`;
const PLAIN = candidates('NULL');
const WITH_PROPERTIES = candidates(subjectJson('u'));
const WITH_GROUPS = `
  WITH page AS MATERIALIZED (${WITH_PROPERTIES}), ${memberGroups('user_id = ANY (ARRAY(SELECT "userId" FROM page))')}
  SELECT "userId", identifier, now, subject, ${memberGroupsJson('"userId"')} AS groups FROM page ORDER BY "userId"`;

/**
 * Resets everybody of an environment who has a state in a version, page by page: no lock is held
 * between two users.
 */
export class ResetUsers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: RunCommand,
    private readonly changes: StateChanges,
  ) {}

  /**
   * Each user is reset by the use case that requests run, and so recorded and pushed in the same
   * way. A run that was killed or stopped within the last day is continued; nobody is reset twice
   * by one run. The run stays on record, and its events keep the state from before, so that it can
   * be undone (I6). Throws `request.invalid` for a condition that cannot be read.
   */
  async run(
    environmentId: string,
    flow: ResolvedFlow,
    asked: ResetOptions,
    author: Author,
  ): Promise<ResetDone> {
    const options = await this.withSegments(asked);
    if (options.when !== undefined) readCondition(options.when);
    if (options.dryRun) return this.count(newRun(environmentId, flow, options, author), options);
    const act = {
      action: 'reset.run',
      subject: `${flow.flow} version ${flow.version}`,
      environmentId,
    };
    return recordWork(this.dataSource, act, author, async (notes) => {
      const run = await this.begin(newRun(environmentId, flow, options, author), options);
      const isMatch = matcher(options.when);
      const { dataSource, changes } = this;
      await pageThrough({ dataSource, changes }, run, notes, options, {
        load: async () => {
          const page = await this.loadPage(run);
          options.onMatched?.(page.filter(isMatch).map(({ identifier }) => identifier));
          return page;
        },
        work: async (user) => (isMatch(user) ? this.resetOne(run, flow, user) : undefined),
        counts: () => countsOf(run),
      });
      return { ...countsOf(run), run: run.id };
    });
  }

  private async withSegments({ when, ...options }: ResetOptions): Promise<ResetOptions> {
    if (when === undefined) return options;
    return { ...options, when: await expandCondition(this.dataSource.manager, when) };
  }

  private async count(run: ResetRun, options: ResetOptions): Promise<ResetDone> {
    for (;;) {
      options.signal?.throwIfAborted();
      const page = await this.loadPage(run);
      const last = page.at(-1);
      if (!last) return { ...countsOf(run), run: null };
      const matching = page.filter(matcher(options.when));
      run.matched += matching.length;
      run.afterUserId = last.userId;
      options.onMatched?.(matching.map(({ identifier }) => identifier));
      await options.onProgress?.(countsOf(run), shareBehind(last.userId));
    }
  }

  private async begin(wanted: ResetRun, { onResume }: ResetOptions): Promise<ResetRun> {
    const runs = this.dataSource.getRepository(ResetRun);
    const [killed] = await runs
      .createQueryBuilder('run')
      .where(
        'run.environment_id = :environmentId AND run.flow = :flow AND run.version = :version',
        wanted,
      )
      .andWhere('run.condition IS NOT DISTINCT FROM :condition AND run.force = :force', wanted)
      .andWhere(
        "run.finished_at IS NULL AND run.undoes IS NULL AND run.updated_at > now() - interval '1 day'",
      )
      .orderBy('run.updated_at', 'DESC')
      .getMany();
    if (!killed) return runs.save(wanted);
    onResume?.(killed.createdAt, countsOf(killed));
    return killed;
  }

  private async loadPage({
    environmentId,
    flow,
    version,
    condition,
    afterUserId,
  }: ResetRun): Promise<Candidate[]> {
    const [text, size] =
      condition === null
        ? ([PLAIN, PAGE.plain] as const)
        : ([statementFor(condition), PAGE.withProperties] as const);
    const page: Candidate[] = await this.dataSource.query(text, [
      flow,
      version,
      afterUserId ?? FIRST_USER,
      environmentId,
      size,
    ]);
    const names = condition === null ? [] : parseExpression(condition).events;
    const ids = page.map(({ userId }) => userId);
    const events = await loadEvents(this.dataSource, ids, names);
    return page.map((user) => ({
      ...user,
      subject: user.subject && withEvents(user.subject, events.get(user.userId)),
    }));
  }

  private async resetOne(
    run: ResetRun,
    flow: ResolvedFlow,
    { identifier }: Candidate,
  ): Promise<'reset' | 'unchanged'> {
    run.matched++;
    const { id, environmentId, force } = run;
    const options = { idempotencyKey: id, keepsBefore: true, byOperator: true };
    const { tookEffect } = await this.runner.run(
      flow,
      { environmentId, user: identifier },
      { kind: 'reset', force },
      options,
    );
    return tookEffect ? 'reset' : 'unchanged';
  }
}

function newRun(
  environmentId: string,
  { flow, version }: ResolvedFlow,
  { when, force }: ResetOptions,
  author: Author,
): ResetRun {
  return ResetRun.of(
    { environmentId, flow, version, condition: when ?? null, force, undoes: null },
    author,
  );
}

const statementFor = (condition: string): string =>
  parseExpression(condition).mentionsGroup ? WITH_GROUPS : WITH_PROPERTIES;

function matcher(when: string | undefined): (user: Candidate) => boolean {
  if (when === undefined) return () => true;
  const condition = parseExpression(when);
  return ({ subject, groups, now }) =>
    subject !== null &&
    evaluateCondition(condition, { now, user: subject, group: null, groups: groups ?? [] });
}
