import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../locks/concurrent-index.js';

/**
 * The latest answers of a version are listed (Z3). Events without an answer are not in it, and cost
 * nothing.
 */
export class Answers1790000000120 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'flow_events_with_answers',
      table: 'flow_events',
      columns: 'flow, version, at',
      where: "event -> 'cause' ? 'data'",
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX flow_events_with_answers');
  }
}
