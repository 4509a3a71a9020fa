import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who vouches for the users of an environment, and whether it is required. */
export class VerifiedUsers1790000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE environments ADD COLUMN verification varchar(16) NOT NULL DEFAULT 'off'",
    );
    await runner.query(`
      CREATE TABLE signers (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        environment_id uuid NOT NULL REFERENCES environments (id),
        name varchar(128) NOT NULL,
        public_key text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (environment_id, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signers');
    await runner.query('ALTER TABLE environments DROP COLUMN verification');
  }
}
