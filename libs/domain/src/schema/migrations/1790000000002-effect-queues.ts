import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withBriefLock } from '../locks/brief-lock.js';
import { createIndexConcurrently } from '../locks/concurrent-index.js';

const BY_QUEUE = {
  name: 'effects_due_by_queue',
  table: 'effects',
  columns: `coalesce(lower(substring(effect->>'url' from '^[^:]*:[/\\\\]*(?:[^/?#\\\\@]*@)?([^/?#\\\\]*)')), ''), next_attempt_at`,
  where: 'failed_at IS NULL',
};

/**
 * What is due is looked up queue by queue: one for each host that webhooks go to, and one for flow
 * triggers.
 */
export class EffectQueues1790000000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, BY_QUEUE);
    await withBriefLock(runner, 'DROP INDEX IF EXISTS effects_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX effects_due ON effects (next_attempt_at) WHERE failed_at IS NULL',
    );
    await runner.query('DROP INDEX effects_due_by_queue');
  }
}
