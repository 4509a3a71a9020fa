import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conditions with a name (Z6). Versions keep what they use of them in their definition. */
export class Segments1790000000140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE segments (
        name varchar(128) PRIMARY KEY,
        position integer NOT NULL,
        text text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE segments');
  }
}
