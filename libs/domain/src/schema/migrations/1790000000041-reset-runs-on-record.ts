import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Runs stay on record, so that they can be listed and undone. Those from before keep no author:
 * they cannot be undone.
 */
export class ResetRunsOnRecord1790000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE reset_runs
        ADD COLUMN by text,
        ADD COLUMN reason text,
        ADD COLUMN undoes uuid REFERENCES reset_runs (id),
        ADD COLUMN moved_on integer NOT NULL DEFAULT 0,
        ADD COLUMN finished_at timestamptz`);
    await runner.query(
      'CREATE INDEX reset_runs_of_environment ON reset_runs (environment_id, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX reset_runs_of_environment');
    await runner.query(
      'DELETE FROM reset_runs WHERE finished_at IS NOT NULL OR undoes IS NOT NULL',
    );
    await runner.query(
      'ALTER TABLE reset_runs DROP COLUMN by, DROP COLUMN reason, DROP COLUMN undoes, DROP COLUMN moved_on, DROP COLUMN finished_at',
    );
  }
}
