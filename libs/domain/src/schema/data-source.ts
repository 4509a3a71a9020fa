import pg from 'pg';
import { DataSource } from 'typeorm';
import { AuditEntry } from '../database/audit/audit-entry.js';
import { DelayRow } from '../delays/delay-row.js';
import { EffectRow } from '../outbound/queue/effect-row.js';
import { ApiKey } from '../access/keys/api-key.js';
import { Environment } from '../access/environment/environment.js';
import { Signer } from '../access/signers/signer.js';
import { EndpointFailure, Endpoint } from '../outbound/endpoints/endpoint.js';
import { EndpointProgress } from '../outbound/endpoints/endpoint-progress.js';
import { FlowEventRow } from '../states/state/flow-event-row.js';
import { AttentionState } from '../states/attention/attention-state.js';
import { FlowStateRow } from '../states/state/flow-state-row.js';
import { ResetRun } from '../states/reset/reset-run.js';
import { EndedSession } from '../access/ended-sessions/index.js';
import { AttentionGroup } from '../flows/shared-files/attention-group.js';
import { Segment } from '../flows/shared-files/segment.js';
import { BlockUid } from '../flows/draft/block-uid.js';
import { FlowPin } from '../flows/pins/flow-pin.js';
import { EngineLevel } from '../flows/versions/engine-level.js';
import { FlowVersion, Flow } from '../flows/versions/flow-version.js';
import { TrackedUser, UserEvent } from '../users/user-event.js';
import { Group, User, Membership } from '../users/user.js';
import { MIGRATIONS } from './migrations/index.js';
import { ReferenceRevision } from '../database/reference-watch.js';

/**
 * Every entity of the schema; imported from their own files, so that a service loads no more of a
 * room than it uses.
 */
export const ENTITIES = [
  Environment,
  ApiKey,
  Signer,
  User,
  Group,
  Membership,
  UserEvent,
  TrackedUser,
  Flow,
  FlowVersion,
  FlowPin,
  EngineLevel,
  AttentionGroup,
  Segment,
  BlockUid,
  FlowStateRow,
  FlowEventRow,
  EffectRow,
  DelayRow,
  AttentionState,
  ResetRun,
  ReferenceRevision,
  AuditEntry,
  EndedSession,
  Endpoint,
  EndpointProgress,
  EndpointFailure,
];

export interface DatabaseSettings {
  /** `postgres://…` */
  url: string;
  /** Connections of this process at most. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Milliseconds a statement may run on the server; 0 is no limit. */
  statementTimeoutMs: number;
  /**
   * Milliseconds to wait for a connection, and for an answer on it (a black hole gives none); 0 is
   * no limit.
   */
  connectTimeoutMs: number;
  answerTimeoutMs: number;
}

/**
 * A connection in use that breaks says so twice: to its statement, and as an event that would end
 * the process (R3).
 */
class SurvivingClient extends pg.Client {
  /** When it was made, as `performance.now()` has it. */
  readonly since = performance.now();

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * TypeORM's options for one process. `synchronize` is off everywhere: the schema is what the
 * migrations say.
 */
function dataSourceOptions(settings: DatabaseSettings) {
  return {
    type: 'postgres' as const,
    // Handed over, as TypeORM would look for it in node_modules, which a bundle does not have.
    driver: pg,
    url: settings.url,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    uuidExtension: 'pgcrypto' as const,
    installExtensions: false,
    logging: false,
    poolSize: settings.poolSize,
    applicationName: settings.applicationName,
    connectTimeoutMS: settings.connectTimeoutMs,
    extra: {
      Client: SurvivingClient,
      // As texts, since pg sends no number 0, and a limit of the role would hold instead.
      statement_timeout: String(settings.statementTimeoutMs),
      // Shorter, so that requests that share a statement with one that waits for a lock are served
      // in time by another.
      lock_timeout: String(settings.statementTimeoutMs / 2),
      query_timeout: settings.answerTimeoutMs || undefined,
      keepAlive: true,
      // Connections stay: a new one costs the server a process and a handshake, which it has least
      // to spare for under load.
      idleTimeoutMillis: 0,
      idle_in_transaction_session_timeout: 10_000,
    },
  };
}

/** A data source that is not connected yet. */
export const createDataSource = (settings: DatabaseSettings): DataSource =>
  new DataSource(dataSourceOptions(settings));
