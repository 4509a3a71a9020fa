import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withBriefLock } from '../locks/brief-lock.js';

/** When each secret key last came from a web page, which it must never be in. */
export class KeyInBrowser1790000000090 implements MigrationInterface {
  /** A lock that is not to be had is tried again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withBriefLock(
      runner,
      'ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS seen_in_browser_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await withBriefLock(runner, 'ALTER TABLE api_keys DROP COLUMN IF EXISTS seen_in_browser_at');
  }
}
