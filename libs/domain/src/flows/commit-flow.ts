import type { EntityManager } from 'typeorm';
import type { FlowDefinition, MigrationStrategy } from '../engine/index.js';
import { loadUncommitted } from './load-version.js';
import { raiseFlowsRevision } from './store-definition.js';

/** How many users, over all environments, meet a new version with something in an older one, and what awaits them (S28). */
export interface CommitImpact {
  readonly inProgress: number;
  readonly restarted: number;
  readonly stopped: number;
}

export interface Committed {
  /** The version that is now the last. */
  readonly version: number;
  /** False where version 0 does not differ from the last commit; then nothing was written. */
  readonly committed: boolean;
}

const USERS = `
  SELECT count(*) FILTER (WHERE state @> '{"started": true, "stopped": false, "finished": false}')::int AS "inProgress",
         count(*) FILTER (WHERE state @> '{"started": true}')::int AS started
  FROM (SELECT DISTINCT ON (user_id) state FROM flow_states WHERE flow = $1 AND version > 0 ORDER BY user_id, version DESC) s`;

/** Asks nothing of the flow itself; an unknown one has no users. */
export async function loadCommitImpact(manager: EntityManager, flow: string, strategy: MigrationStrategy): Promise<CommitImpact> {
  const [row] = (await manager.query(USERS, [flow])) as { inProgress: number; started: number }[];
  const { inProgress, started } = row ?? { inProgress: 0, started: 0 };
  const restarted = { 'restart-all': started, 'restart-in-progress': inProgress, 'carry-over': 0, 'stop-in-progress': 0 };
  return { inProgress, restarted: restarted[strategy], stopped: strategy === 'stop-in-progress' ? inProgress : 0 };
}

/** Whether a commit of that definition would make a version: not where the last one is the same. */
export async function wouldCommit(manager: EntityManager, definition: FlowDefinition): Promise<boolean> {
  return (await findLastCommit(manager, definition))?.same !== true;
}

/**
 * Makes version 0 the next commit, numbered without gaps (S26); expects a transaction and holds the flow until it ends.
 * Throws `flow.unknown`, for archived flows too.
 */
export async function commitFlow(
  manager: EntityManager,
  flow: string,
  message: string,
  strategy: MigrationStrategy = 'carry-over',
): Promise<Committed> {
  await manager.query('SELECT FROM flows WHERE flow = $1 FOR UPDATE', [flow]);
  const last = await findLastCommit(manager, await loadUncommitted(manager, flow));
  if (last?.same) return { version: last.version, committed: false };
  const version = (last?.version ?? 0) + 1;
  await manager.query(
    `INSERT INTO flow_versions (flow, version, definition, message, migration)
     SELECT flow, $2, definition, $3, $4 FROM flow_versions WHERE flow = $1 AND version = 0`,
    [flow, version, message, strategy],
  );
  await manager.query('UPDATE flows SET updated_at = now() WHERE flow = $1', [flow]);
  await raiseFlowsRevision(manager);
  return { version, committed: true };
}

interface LastCommit {
  version: number;
  /** Whether it is the same as the definition that it was looked for with. */
  same: boolean;
}

async function findLastCommit(manager: EntityManager, definition: FlowDefinition): Promise<LastCommit | undefined> {
  const [last] = (await manager.query(
    `SELECT version, definition = $2::jsonb AS same FROM flow_versions
     WHERE flow = $1 AND version > 0 ORDER BY version DESC LIMIT 1`,
    [definition.flow, JSON.stringify(definition)],
  )) as LastCommit[];
  return last;
}
