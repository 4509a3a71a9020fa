import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withBriefLock } from '../locks/brief-lock.js';
import { createIndexConcurrently } from '../locks/concurrent-index.js';

/**
 * Each event tells which transaction wrote it, so that others can follow the log, and what it came
 * from (E1, E5). Made for a table that is full and in use: the column rewrites nothing, as its
 * default is one constant for the rows there are, and the index is built beside the writers (R15).
 * Each step may be repeated, should a migration be killed between two.
 */
export class EventPlace1790000000030 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withBriefLock(
      runner,
      `ALTER TABLE flow_events
         ADD COLUMN IF NOT EXISTS place bigint NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint + 0,
         ADD COLUMN IF NOT EXISTS group_identifier text,
         ADD COLUMN IF NOT EXISTS origin varchar(16)`,
    );
    await createIndexConcurrently(runner, {
      name: 'flow_events_by_place',
      table: 'flow_events',
      columns: 'place, user_id',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS flow_events_by_place');
    await runner.query(
      'ALTER TABLE flow_events DROP COLUMN place, DROP COLUMN group_identifier, DROP COLUMN origin',
    );
  }
}
