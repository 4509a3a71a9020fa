import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Delays that wait in states (Z4), partitioned as these are. */
export class Delays1790000000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query(
      "SELECT count(*)::int AS partitions FROM pg_inherits WHERE inhparent = 'flow_states'::regclass",
    )) as { partitions: number }[];
    const { partitions } = row!;
    await runner.query(
      `CREATE TABLE delays (
        user_id uuid NOT NULL,
        flow varchar(128) NOT NULL,
        version integer NOT NULL,
        block varchar(128) NOT NULL,
        revision integer NOT NULL,
        due_at timestamptz NOT NULL,
        group_identifier text,
        trace jsonb,
        PRIMARY KEY (user_id, flow, version, block)
      )${partitions > 0 ? ' PARTITION BY HASH (user_id)' : ''}`,
    );
    for (let part = 0; part < partitions; part++)
      await runner.query(
        `CREATE TABLE delays_${part} PARTITION OF delays FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})`,
      );
    await runner.query('CREATE INDEX delays_due ON delays (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE delays');
  }
}
