import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables a request touches: keyed by user (or group), never by a sequence, so that they can be
 * partitioned or sharded.
 */
const DISTRIBUTED = {
  users: `
    user_id uuid NOT NULL,
    environment_id uuid NOT NULL,
    identifier text NOT NULL,
    properties jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id),
    CONSTRAINT users_properties_size CHECK (octet_length(properties::text) <= 1048576)`,
  groups: `
    group_id uuid NOT NULL,
    environment_id uuid NOT NULL,
    identifier text NOT NULL,
    properties jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id),
    CONSTRAINT groups_properties_size CHECK (octet_length(properties::text) <= 1048576)`,
  memberships: `
    user_id uuid NOT NULL,
    group_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, group_id)`,
  flow_states: `
    user_id uuid NOT NULL,
    flow varchar(128) NOT NULL,
    version integer NOT NULL,
    revision integer NOT NULL,
    edition integer NOT NULL,
    state jsonb NOT NULL,
    recent_keys text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, flow, version)`,
  flow_events: `
    user_id uuid NOT NULL,
    flow varchar(128) NOT NULL,
    version integer NOT NULL,
    revision integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    event jsonb NOT NULL,
    idempotency_key text,
    PRIMARY KEY (user_id, flow, version, revision)`,
  effects: `
    user_id uuid NOT NULL,
    flow varchar(128) NOT NULL,
    version integer NOT NULL,
    revision integer NOT NULL,
    position integer NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    effect jsonb NOT NULL,
    group_identifier text,
    chain integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    failed_at timestamptz,
    last_error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, flow, version, revision, position)`,
} as const;

const REFERENCE = `
  CREATE TABLE environments (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name varchar(128) NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    environment_id uuid NOT NULL REFERENCES environments (id),
    kind varchar(16) NOT NULL,
    name varchar(128),
    hash bytea NOT NULL UNIQUE,
    secret text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
  );
  CREATE TABLE flows (
    flow varchar(128) PRIMARY KEY,
    name text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz
  );
  CREATE TABLE flow_versions (
    flow varchar(128) NOT NULL REFERENCES flows (flow),
    version integer NOT NULL,
    definition jsonb NOT NULL,
    edition integer NOT NULL DEFAULT 1,
    message text,
    migration varchar(32) NOT NULL DEFAULT 'carry-over',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (flow, version)
  );
  CREATE TABLE block_uids (
    uid varchar(64) PRIMARY KEY,
    flow varchar(128) NOT NULL,
    identifier varchar(128) NOT NULL,
    type varchar(32) NOT NULL,
    container_uid varchar(64) NOT NULL DEFAULT ''
  );
  CREATE UNIQUE INDEX block_uids_owner ON block_uids (flow, identifier, type, container_uid);
  CREATE TABLE reference_revisions (name varchar(32) PRIMARY KEY, revision bigint NOT NULL DEFAULT 0);
  INSERT INTO reference_revisions (name) VALUES ('flows'), ('api-keys');
  INSERT INTO environments (name) VALUES ('development'), ('production');
`;

/**
 * Rows that are written again and again find room beside themselves, so that no index has to follow
 * (HOT updates).
 */
const ROOM = { users: 80, groups: 80, flow_states: 80 } as Record<string, number>;

/** Everything of the first release. */
export class Initial1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REFERENCE);
    const partitions = await this.loadPartitions(runner);
    for (const [table, columns] of Object.entries(DISTRIBUTED))
      await this.createDistributed(runner, table, columns, partitions);
    await runner.query('CREATE INDEX flow_states_by_flow ON flow_states (flow, version, user_id)');
    await runner.query(
      'CREATE INDEX effects_due ON effects (next_attempt_at) WHERE failed_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(DISTRIBUTED).reverse())
      await runner.query(`DROP TABLE ${table}`);
    await runner.query(
      'DROP TABLE reference_revisions, block_uids, flow_versions, flows, api_keys, environments',
    );
  }

  /**
   * `ALTER DATABASE … SET waymark.partitions = 16` before the first migration requests hash
   * partitions.
   */
  private async loadPartitions(runner: QueryRunner): Promise<number> {
    const [row] = (await runner.query(
      "SELECT current_setting('waymark.partitions', true) AS value",
    )) as {
      value: string | null;
    }[];
    return Number(row?.value ?? 0) || 0;
  }

  private async createDistributed(
    runner: QueryRunner,
    table: string,
    columns: string,
    partitions: number,
  ): Promise<void> {
    const room = ROOM[table] ? ` WITH (fillfactor = ${ROOM[table]})` : '';
    if (partitions === 0)
      return void (await runner.query(`CREATE TABLE ${table} (${columns})${room}`));
    const key = table === 'groups' ? 'group_id' : 'user_id';
    await runner.query(`CREATE TABLE ${table} (${columns}) PARTITION BY HASH (${key})`);
    for (let part = 0; part < partitions; part++) {
      await runner.query(
        `CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})${room}`,
      );
    }
  }
}
