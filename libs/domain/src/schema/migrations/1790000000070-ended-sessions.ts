import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has signed out of the studio, so that every one of its processes knows. */
export class EndedSessions1790000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE ended_sessions (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ended_sessions');
  }
}
