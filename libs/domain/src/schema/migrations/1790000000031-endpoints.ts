import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeWebhookSecret } from '../../access/environment/webhook-secret.js';

/**
 * Where events are sent, how far each endpoint has come, and what it refused (E6, E8); secrets of
 * environments (E9).
 */
export class Endpoints1790000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE endpoints (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        environment_id uuid NOT NULL REFERENCES environments (id),
        name varchar(128) NOT NULL,
        url text NOT NULL,
        format varchar(16) NOT NULL,
        flows text[] NOT NULL DEFAULT '{}',
        types text[] NOT NULL DEFAULT '{}',
        headers jsonb NOT NULL DEFAULT '[]',
        drafts boolean NOT NULL DEFAULT false,
        since timestamptz,
        secret text,
        previous_secret text,
        previous_secret_until timestamptz,
        paused_at timestamptz,
        pause_reason text,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE UNIQUE INDEX endpoints_name ON endpoints (environment_id, name)');
    await runner.query(`
      CREATE TABLE endpoint_progress (
        endpoint_id uuid PRIMARY KEY REFERENCES endpoints (id) ON DELETE CASCADE,
        place bigint NOT NULL,
        user_id uuid NOT NULL,
        flow varchar(128) NOT NULL,
        version integer NOT NULL,
        revision integer NOT NULL,
        open_window jsonb,
        lease_token uuid,
        lease_until timestamptz,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        downs integer NOT NULL DEFAULT 0,
        set_aside_in_a_row integer NOT NULL DEFAULT 0,
        waiting_since timestamptz,
        last_success_at timestamptz,
        last_error text
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE endpoint_failures (
        endpoint_id uuid NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
        event_id uuid NOT NULL,
        user_id uuid NOT NULL,
        event jsonb NOT NULL,
        error text NOT NULL,
        failed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (endpoint_id, event_id)
      )`);
    await runner.query('CREATE INDEX endpoint_failures_by_user ON endpoint_failures (user_id)');
    await runner.query(
      'ALTER TABLE environments ADD COLUMN webhook_secret text, ADD COLUMN previous_webhook_secret text, ADD COLUMN previous_webhook_secret_until timestamptz',
    );
    const environments = (await runner.query('SELECT id FROM environments')) as { id: string }[];
    for (const { id } of environments)
      await runner.query('UPDATE environments SET webhook_secret = $2 WHERE id = $1', [
        id,
        makeWebhookSecret(),
      ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE environments DROP COLUMN webhook_secret, DROP COLUMN previous_webhook_secret, DROP COLUMN previous_webhook_secret_until',
    );
    await runner.query('DROP TABLE endpoint_failures, endpoint_progress, endpoints');
  }
}
