import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Environments where `latest` is only what is pinned (Z10). */
export class Releases1790000000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE environments ADD COLUMN releases_by_pin boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE environments DROP COLUMN releases_by_pin');
  }
}
