import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is due is looked up queue by queue: one for each host that webhooks go to, and one for flow triggers. */
export class EffectQueues1790000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX effects_due_by_queue ON effects (coalesce(lower(substring(effect->>'url' from '^[^:]*:[/\\\\]*(?:[^/?#\\\\@]*@)?([^/?#\\\\]*)')), ''), next_attempt_at)
      WHERE failed_at IS NULL`);
    await runner.query('DROP INDEX effects_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX effects_due ON effects (next_attempt_at) WHERE failed_at IS NULL');
    await runner.query('DROP INDEX effects_due_by_queue');
  }
}
