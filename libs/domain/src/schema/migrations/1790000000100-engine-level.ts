import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What every replica can read: on an installation in use, what the release before reads; a new one
 * has no other replicas.
 */
export class EngineLevel1790000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE engine_level (level smallint PRIMARY KEY)');
    await runner.query(
      `INSERT INTO engine_level
       SELECT CASE WHEN EXISTS (SELECT 1 FROM api_keys) OR EXISTS (SELECT 1 FROM flows) THEN 1 ELSE 2 END`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE engine_level');
  }
}
