import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What `latest` means in an environment that pins it, and the files that versions were made from.
 * Both tables are small.
 */
export class PinsAndSources1790000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE flow_pins (
        environment_id uuid NOT NULL REFERENCES environments (id),
        flow varchar(128) NOT NULL,
        version integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, flow),
        CONSTRAINT flow_pins_version_fkey FOREIGN KEY (flow, version) REFERENCES flow_versions (flow, version)
      )`);
    await runner.query('ALTER TABLE flow_versions ADD COLUMN source text, ADD COLUMN author text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE flow_versions DROP COLUMN source, DROP COLUMN author');
    await runner.query('DROP TABLE flow_pins');
  }
}
