import type { DataSource } from 'typeorm';
import { DomainError } from '../errors/index.js';
import type { ResolvedFlow } from '../flows/resolved-flow.js';
import { evaluateCondition, parseExpression, type Subject } from '../targeting/index.js';
import { ResetRun } from './reset-run.js';
import type { RunCommand } from './run-command.js';

export interface ResetCounts {
  /** Users the reset is for. */
  readonly matched: number;
  readonly reset: number;
  /** Clean already, and left so (S10). */
  readonly unchanged: number;
  /** Too much contention, or gone meanwhile. */
  readonly failed: number;
}

export interface ResetOptions {
  /** An expression over the user (S29); everybody without. */
  readonly when?: string;
  readonly force: boolean;
  /** Only counts whom it is for. */
  readonly dryRun?: boolean;
  /** Told whom it is for, page by page, before they are reset. */
  readonly onMatched?: (users: readonly string[]) => void;
  /** Told after every page of users; awaited. */
  readonly onProgress?: (counts: ResetCounts) => Promise<void> | void;
  /** Called when this run continues an earlier one that was killed. */
  readonly onResume?: (began: Date, counts: ResetCounts) => void;
}

interface Candidate {
  userId: string;
  identifier: string;
  subject: Omit<Subject, 'identifier'> | null;
  now: number;
}

/** Users of a page; fewer where their properties are read, which may be 1 MiB each. */
const PAGE = { plain: 500, withProperties: 50 };
const AT_ONCE = 8;

const candidates = (properties: string) => `
  SELECT s.user_id AS "userId", u.identifier, floor(extract(epoch FROM now()) * 1000)::float8 AS now, ${properties} AS subject
  FROM flow_states s JOIN users u ON u.user_id = s.user_id
  WHERE s.flow = $1 AND s.version = $2 AND s.user_id > $3 AND u.environment_id = $4 ORDER BY s.user_id LIMIT $5`;
const PLAIN = candidates('NULL');
const WITH_PROPERTIES = candidates(`json_build_object('properties', u.properties,
  'createdAt', floor(extract(epoch FROM u.created_at) * 1000), 'updatedAt', floor(extract(epoch FROM u.updated_at) * 1000))`);

const FIRST_USER = '00000000-0000-0000-0000-000000000000';

/** Resets everybody of an environment who has a state in a version, page by page: no lock is held between two users. */
export class ResetUsers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: RunCommand,
  ) {}

  /**
   * Each user by the use case that requests run, so recorded and pushed alike. A run that was killed within the last
   * day is continued; nobody is reset twice by one run. Throws for an expression that cannot be read.
   */
  async run(environmentId: string, flow: ResolvedFlow, options: ResetOptions): Promise<ResetCounts> {
    if (options.when !== undefined) parseExpression(options.when);
    const run = options.dryRun ? newRun(environmentId, flow, options) : await this.begin(environmentId, flow, options);
    for (;;) {
      const page = await this.loadPage(run);
      const last = page.at(-1);
      if (!last) break;
      const matching = page.filter(matcher(options.when));
      run.matched += matching.length;
      options.onMatched?.(matching.map(({ identifier }) => identifier));
      if (!options.dryRun) await this.resetAll(run, flow, matching);
      run.afterUserId = last.userId;
      if (!options.dryRun)
        await this.dataSource.manager.update(ResetRun, run.id, {
          ...countsOf(run),
          afterUserId: last.userId,
          updatedAt: () => 'now()',
        });
      await options.onProgress?.(countsOf(run));
    }
    if (!options.dryRun) await this.dataSource.manager.delete(ResetRun, run.id);
    return countsOf(run);
  }

  private async begin(environmentId: string, flow: ResolvedFlow, options: ResetOptions): Promise<ResetRun> {
    const runs = this.dataSource.getRepository(ResetRun);
    const wanted = newRun(environmentId, flow, options);
    const [killed] = await runs
      .createQueryBuilder('run')
      .where('run.environment_id = :environmentId AND run.flow = :flow AND run.version = :version', wanted)
      .andWhere('run.condition IS NOT DISTINCT FROM :condition AND run.force = :force', wanted)
      .andWhere("run.updated_at > now() - interval '1 day'")
      .orderBy('run.updated_at', 'DESC')
      .getMany();
    if (!killed) return runs.save(wanted);
    options.onResume?.(killed.createdAt, countsOf(killed));
    return killed;
  }

  private loadPage({ environmentId, flow, version, condition, afterUserId }: ResetRun): Promise<Candidate[]> {
    const [text, size] = condition === null ? [PLAIN, PAGE.plain] : [WITH_PROPERTIES, PAGE.withProperties];
    return this.dataSource.query(text, [flow, version, afterUserId ?? FIRST_USER, environmentId, size]);
  }

  private async resetAll(run: ResetRun, flow: ResolvedFlow, users: readonly Candidate[]): Promise<void> {
    const waiting = [...users];
    const work = async () => {
      for (let user = waiting.pop(); user; user = waiting.pop()) run[await this.resetOne(run, flow, user)]++;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private async resetOne(
    { id, environmentId, force }: ResetRun,
    flow: ResolvedFlow,
    { identifier }: Candidate,
  ): Promise<'reset' | 'unchanged' | 'failed'> {
    try {
      const actor = { environmentId, user: identifier };
      const { tookEffect } = await this.runner.run(
        flow,
        actor,
        { kind: 'reset', force },
        { idempotencyKey: id, byOperator: true },
      );
      return tookEffect ? 'reset' : 'unchanged';
    } catch (error) {
      const isOfOne = error instanceof DomainError && ['user.unknown', 'service.overloaded'].includes(error.code);
      if (isOfOne) return 'failed';
      throw error;
    }
  }
}

function newRun(environmentId: string, { flow, version }: ResolvedFlow, { when, force }: ResetOptions): ResetRun {
  const none = { matched: 0, reset: 0, unchanged: 0, failed: 0 };
  return Object.assign(new ResetRun(), {
    environmentId,
    flow,
    version,
    condition: when ?? null,
    force,
    afterUserId: null,
    ...none,
  });
}

function matcher(when: string | undefined): (user: Candidate) => boolean {
  if (when === undefined) return () => true;
  const condition = parseExpression(when);
  return ({ identifier, subject, now }) =>
    subject !== null && evaluateCondition(condition, { now, user: { identifier, ...subject }, group: null });
}

const countsOf = ({ matched, reset, unchanged, failed }: ResetCounts): ResetCounts => ({ matched, reset, unchanged, failed });
