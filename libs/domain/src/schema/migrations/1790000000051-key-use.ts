import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withBriefLock } from '../locks/brief-lock.js';

/** When each key was last used, so that a rotation can be ended. */
export class KeyUse1790000000051 implements MigrationInterface {
  /** A lock that is not to be had is tried again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withBriefLock(
      runner,
      'ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS last_used_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await withBriefLock(runner, 'ALTER TABLE api_keys DROP COLUMN IF EXISTS last_used_at');
  }
}
