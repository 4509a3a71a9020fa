import type { EntityManager } from 'typeorm';
import { raiseRevision } from '../../database/index.js';
import type { FlowDefinition, MigrationStrategy } from '../../engine/index.js';
import { Flow } from '../versions/flow-version.js';
import { loadUncommitted, lockFlow } from '../versions/load-version.js';

export interface Committed {
  /** The version that is now the last. */
  readonly version: number;
  /** False where version 0 does not differ from the last commit; then nothing was written. */
  readonly committed: boolean;
}

/** Whether a commit of that definition would make a version: not where the last one is the same. */
export async function wouldCommit(
  manager: EntityManager,
  definition: FlowDefinition,
): Promise<boolean> {
  return (await findLastCommit(manager, definition))?.same !== true;
}

/**
 * Makes version 0 the next commit, numbered without gaps (S26); expects a transaction and holds the
 * flow until it ends. Throws `flow.unknown`, for archived flows too.
 */
export async function commitFlow(
  manager: EntityManager,
  flow: string,
  message: string,
  strategy: MigrationStrategy = 'carry-over',
  author: string | null = null,
): Promise<Committed> {
  await lockFlow(manager, flow);
  const last = await findLastCommit(manager, await loadUncommitted(manager, flow));
  if (last?.same) return { version: last.version, committed: false };
  const version = (last?.version ?? 0) + 1;
  await manager.query(
    `INSERT INTO flow_versions (flow, version, definition, source, message, migration, author)
     SELECT flow, $2, definition, source, $3, $4, $5 FROM flow_versions WHERE flow = $1 AND version = 0`,
    [flow, version, message, strategy, author],
  );
  await manager.update(Flow, flow, { updatedAt: () => 'now()' });
  await raiseRevision(manager, 'flows');
  return { version, committed: true };
}

interface LastCommit {
  version: number;
  /** Whether it is the same as the definition that it was looked for with. */
  same: boolean;
}

async function findLastCommit(
  manager: EntityManager,
  definition: FlowDefinition,
): Promise<LastCommit | undefined> {
  const [last] = (await manager.query(
    `SELECT version, definition = $2::jsonb AS same FROM flow_versions
     WHERE flow = $1 AND version > 0 ORDER BY version DESC LIMIT 1`,
    [definition.flow, JSON.stringify(definition)],
  )) as LastCommit[];
  return last;
}
