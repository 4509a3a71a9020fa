import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far resets of many users have come, so that one that was killed goes on where it was. */
export class ResetRuns1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reset_runs (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        environment_id uuid NOT NULL REFERENCES environments (id),
        flow varchar(128) NOT NULL,
        version integer NOT NULL,
        condition text,
        force boolean NOT NULL,
        after_user_id uuid,
        matched integer NOT NULL DEFAULT 0,
        reset integer NOT NULL DEFAULT 0,
        unchanged integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reset_runs');
  }
}
