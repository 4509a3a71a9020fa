import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators did. Without foreign keys, since it outlives the rows that it names. */
export class AuditLog1790000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log (
        id uuid PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        by text NOT NULL,
        action varchar(64) NOT NULL,
        subject text,
        user_id uuid,
        environment_id uuid,
        reason text,
        result jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX audit_log_at ON audit_log (at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_log');
  }
}
