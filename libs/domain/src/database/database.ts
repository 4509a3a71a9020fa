import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import {
  connectFailure,
  databaseFailure,
  DomainError,
  isConnectionSound,
  isDiskFull,
  isReadOnly,
} from './errors/index.js';
import { isUnsupported, lookWhetherDistributed } from './is-distributed.js';
import type { Statement } from './statement.js';

/** Runs a statement and answers with its rows. */
export type RunStatement = <Row extends object>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

/**
 * How old an answer may be. Tables are distributed rarely, and services go on while they are (G1).
 */
const LOOK_AGAIN_MS = 5_000;

/**
 * Remembers whether the tables are distributed, and looks again every few seconds beside the
 * requests that ask.
 */
export class TableShape {
  /** The last answer, or the first one under way. */
  known: Promise<boolean> | undefined;
  private lookAgainAt = 0;

  constructor(private readonly look: () => Promise<boolean>) {}

  /**
   * As it was some seconds ago, or as it is where nobody has asked before. Throws what the first
   * look throws.
   */
  isDistributed(): Promise<boolean> {
    if (!this.known) return this.lookNow();
    // No request waits for it, and none fails with it.
    if (performance.now() >= this.lookAgainAt) this.lookNow().catch(() => undefined);
    return this.known;
  }

  /**
   * Looks whether the tables have another shape than the one that a statement was chosen for, which
   * was refused.
   */
  async isOtherThan(chosenFor: Promise<boolean> | undefined): Promise<boolean> {
    const before = await chosenFor?.catch(() => undefined);
    return before !== undefined && (await this.lookNow()) !== before;
  }

  private lookNow(): Promise<boolean> {
    this.lookAgainAt = performance.now() + LOOK_AGAIN_MS;
    const looking = this.look();
    this.known ??= looking;
    looking.then(
      () => (this.known = looking),
      () => {
        if (this.known === looking) this.known = undefined;
      },
    );
    return looking;
  }
}

/**
 * Runs hot statements on the pool that TypeORM owns: prepared, one round trip each, without the ORM
 * in between. Throws `database.unavailable` when the server is out of reach; other errors of
 * PostgreSQL pass as they are.
 */
export class Database {
  /** Connections made earlier are not used any more. */
  private renewedAt = 0;
  /** When a write was last refused since the disk of the server is full. */
  private diskFullAt = -Infinity;
  private readonly shape = new TableShape(() =>
    lookWhetherDistributed((statement) => this.run<{ yes: boolean }>(statement, [])),
  );

  constructor(
    private readonly dataSource: DataSource,
    /** Off behind a pooler in transaction mode that cannot keep prepared statements. */
    private readonly prepared = true,
  ) {}

  /** The pg pool behind TypeORM's driver. */
  get pool(): Pool {
    return poolOf(this.dataSource);
  }

  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const chosenFor = statement.servers === 'one' ? Promise.resolve(false) : this.shape.known;
    return this.withConnection(chosenFor, (client) => this.query<Row>(client, statement, values));
  }

  /**
   * Runs statements in one transaction on one connection; all are taken back when `work` answers
   * false or throws.
   */
  transaction(work: (run: RunStatement) => Promise<boolean>): Promise<boolean> {
    return this.withConnection(this.shape.known, async (client) => {
      await client.query('BEGIN');
      try {
        const isDone = await work((statement, values) => this.query(client, statement, values));
        await client.query(isDone ? 'COMMIT' : 'ROLLBACK');
        return isDone;
      } catch (error) {
        if (isConnectionSound(error)) await client.query('ROLLBACK');
        throw error;
      }
    });
  }

  private async query<Row extends object>(
    client: PoolClient,
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const { rows } = await client.query<Row & QueryResultRow>({
      ...(this.prepared && { name }),
      text,
      values: values as unknown[],
    });
    return rows;
  }

  /** `chosenFor`: whether tables were taken for distributed when it was decided what to run. */
  private async withConnection<Result>(
    chosenFor: Promise<boolean> | undefined,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.acquire();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(!isConnectionSound(error));
      if (isReadOnly(error)) this.renewConnections();
      if (isDiskFull(error)) this.diskFullAt = performance.now();
      throw isUnsupported(error) && (await this.shape.isOtherThan(chosenFor))
        ? shapeChanged(error)
        : databaseFailure(error);
    }
  }

  /**
   * Whether Citus spreads the tables over servers, where a few statements have to be said otherwise
   * (G1).
   */
  isDistributed(): Promise<boolean> {
    return this.shape.isDistributed();
  }

  /**
   * To be called when a server takes no writes: after a failover the address of the database leads
   * to another server, while connections to the old one would work on, for reads at least. Not more
   * than once a second, should it stay so.
   */
  renewConnections(): void {
    const now = performance.now();
    if (now - this.renewedAt > RENEWAL_PAUSE_MS) this.renewedAt = now;
  }

  /**
   * Whether a write was refused in the last seconds since the disk is full, which no read would
   * show.
   */
  get isDiskFull(): boolean {
    return performance.now() - this.diskFullAt < DISK_FULL_MS;
  }

  private async acquire(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = (await this.pool.connect()) as PoolClient & { since: number };
        if (client.since >= this.renewedAt) return client;
        client.release(true);
      }
    } catch (error) {
      throw connectFailure(error);
    }
  }
}

const RENEWAL_PAUSE_MS = 1_000;
/**
 * Without traffic, a replica never learns that connections are free again: after this long it
 * accepts requests again.
 */
const DISK_FULL_MS = 5_000;

const shapeChanged = (cause: unknown): DomainError =>
  new DomainError(
    'database.unavailable',
    'the tables were distributed just now, please try again',
    { cause },
  );

/** The pool that TypeORM's driver keeps to itself. */
export const poolOf = ({ driver }: DataSource): Pool =>
  (driver as unknown as { master: Pool }).master;
