import { DataSource } from 'typeorm';
import { ApiKey, Environment } from '../environments/index.js';
import { EffectRow, FlowEventRow, FlowStateRow, ResetRun } from '../flow-states/index.js';
import { BlockUid, Flow, FlowVersion } from '../flows/index.js';
import { Group, Membership, User } from '../users/index.js';
import { MIGRATIONS } from './migrations/index.js';
import { ReferenceRevision } from './reference-revision.js';

/** Every entity of the schema. */
export const ENTITIES = [
  Environment,
  ApiKey,
  User,
  Group,
  Membership,
  Flow,
  FlowVersion,
  BlockUid,
  FlowStateRow,
  FlowEventRow,
  EffectRow,
  ResetRun,
  ReferenceRevision,
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
  /** Milliseconds to wait for a connection, and for an answer on it (a black hole gives none); 0 is no limit. */
  connectTimeoutMs: number;
  answerTimeoutMs: number;
}

/** TypeORM's options for one process. `synchronize` is off everywhere: the schema is what the migrations say. */
export function dataSourceOptions(settings: DatabaseSettings) {
  return {
    type: 'postgres' as const,
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
      statement_timeout: settings.statementTimeoutMs || undefined,
      query_timeout: settings.answerTimeoutMs || undefined,
      keepAlive: true,
      idle_in_transaction_session_timeout: 10_000,
    },
  };
}

/** A data source that is not connected yet. */
export const createDataSource = (settings: DatabaseSettings): DataSource => new DataSource(dataSourceOptions(settings));
