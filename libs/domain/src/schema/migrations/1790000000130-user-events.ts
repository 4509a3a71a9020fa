import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users did, counted by name (Z2), partitioned as the states of users are. */
export class UserEvents1790000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query(
      "SELECT count(*)::int AS partitions FROM pg_inherits WHERE inhparent = 'flow_states'::regclass",
    )) as { partitions: number }[];
    const { partitions } = row!;
    await createOf(
      runner,
      partitions,
      'user_events',
      `user_id uuid NOT NULL,
       name varchar(128) NOT NULL,
       count bigint NOT NULL,
       first_at timestamptz NOT NULL DEFAULT now(),
       last_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (user_id, name)`,
    );
    await createOf(
      runner,
      partitions,
      'tracked_users',
      `user_id uuid NOT NULL PRIMARY KEY,
       names text[] NOT NULL,
       recent_ids text[] NOT NULL,
       counted_ids text[] NOT NULL,
       CONSTRAINT tracked_users_names CHECK (cardinality(names) <= 200)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tracked_users');
    await runner.query('DROP TABLE user_events');
  }
}

async function createOf(
  runner: QueryRunner,
  partitions: number,
  table: string,
  columns: string,
): Promise<void> {
  const room = ' WITH (fillfactor = 80)';
  await runner.query(
    `CREATE TABLE ${table} (${columns})${partitions > 0 ? ' PARTITION BY HASH (user_id)' : room}`,
  );
  for (let part = 0; part < partitions; part++)
    await runner.query(
      `CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})${room}`,
    );
}
