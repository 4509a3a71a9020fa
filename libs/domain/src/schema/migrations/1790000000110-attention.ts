import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rules of groups of flows, and what happened to each user in each group (Q4), partitioned as the
 * states of users are.
 */
export class Attention1790000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE attention_groups (
        name varchar(128) PRIMARY KEY,
        position integer NOT NULL,
        rules jsonb NOT NULL
      )`);
    await this.createStates(runner, await this.countPartitions(runner));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE attention_states');
    await runner.query('DROP TABLE attention_groups');
  }

  private async createStates(runner: QueryRunner, partitions: number): Promise<void> {
    const room = ' WITH (fillfactor = 80)';
    await runner.query(`
      CREATE TABLE attention_states (
        user_id uuid NOT NULL,
        "group" varchar(128) NOT NULL,
        revision integer NOT NULL DEFAULT 0,
        places jsonb NOT NULL DEFAULT '{}',
        starts jsonb NOT NULL DEFAULT '[]',
        ended_at timestamptz,
        PRIMARY KEY (user_id, "group")
      )${partitions > 0 ? ' PARTITION BY HASH (user_id)' : room}`);
    for (let part = 0; part < partitions; part++)
      await runner.query(
        `CREATE TABLE attention_states_${part} PARTITION OF attention_states FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})${room}`,
      );
  }

  private async countPartitions(runner: QueryRunner): Promise<number> {
    const [row] = (await runner.query(
      "SELECT count(*)::int AS partitions FROM pg_inherits WHERE inhparent = 'flow_states'::regclass",
    )) as { partitions: number }[];
    return row!.partitions;
  }
}
