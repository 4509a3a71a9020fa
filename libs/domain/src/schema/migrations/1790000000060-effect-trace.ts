import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withBriefLock } from '../locks/brief-lock.js';

/**
 * Which request an effect comes from, so that webhooks can tell it (S19). Rewrites nothing: old
 * rows have none.
 */
export class EffectTrace1790000000060 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withBriefLock(runner, 'ALTER TABLE effects ADD COLUMN IF NOT EXISTS trace jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE effects DROP COLUMN trace');
  }
}
