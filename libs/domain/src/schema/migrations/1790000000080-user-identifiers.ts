import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../locks/concurrent-index.js';

/**
 * Operators list and search users by identifier (T17, ADR 60). In the order of bytes, which serves
 * lists, ranges and beginnings of identifiers whatever the collation of the database is. An
 * identifier never changes, so updates stay HOT.
 */
export class UserIdentifiers1790000000080 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'users_by_identifier',
      table: 'users',
      columns: 'environment_id, identifier COLLATE "C"',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_by_identifier');
  }
}
