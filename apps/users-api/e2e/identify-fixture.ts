import { createKey } from '@waymark/domain/access';
import { userId } from '@waymark/domain/users';
import { bootstrap, type RunningService } from '@waymark/service-kit/bootstrap';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import {
  call,
  startService,
  type Answer,
  type CallOptions,
  type SettingsByName,
} from '@waymark/testing/services';
import type { DataSource } from 'typeorm';
import { USERS_API } from '../src/service.js';

/** What is stored of a user or a group. */
export interface Stored {
  /** As `jsonb` writes it. */
  properties: string;
  created_at: string;
  updated_at: string;
}

/** A users API on a database of its own, with a key for each environment. */
export class IdentifyFixture {
  private constructor(
    private readonly database: TestDatabase,
    readonly dataSource: DataSource,
    readonly service: RunningService,
    readonly key: string,
    /** A key of another environment. */
    readonly otherKey: string,
  ) {}

  static async open(settings: SettingsByName = {}): Promise<IdentifyFixture> {
    const database = await createTestDatabase();
    const dataSource = await database.connect();
    const key = await createKey(
      dataSource,
      { environment: 'development', kind: 'users' },
      { by: 'test' },
    );
    const other = await createKey(
      dataSource,
      { environment: 'production', kind: 'users' },
      { by: 'test' },
    );
    const service = await startService((given) => bootstrap(USERS_API, given), {
      DATABASE_URL: database.url,
      ...settings,
    });
    return new IdentifyFixture(database, dataSource, service, key.key, other.key);
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.database.drop();
  }

  get url(): string {
    return this.service.url;
  }

  /** `POST` to a path, with the key of `development` unless another one is given. */
  post(path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    return call(this.service, `POST ${path}`, {
      key: this.key,
      ...(body !== undefined && { body }),
      ...options,
    });
  }

  async find(
    identifier: string,
    table: 'users' | 'groups' = 'users',
    environment = 'development',
  ): Promise<Stored | undefined> {
    const rows = (await this.dataSource.query(
      `SELECT s.properties::text, s.created_at::text, s.updated_at::text
         FROM ${table} s JOIN environments e ON e.id = s.environment_id WHERE e.name = $1 AND s.identifier = $2`,
      [environment, identifier],
    )) as Stored[];
    return rows[0];
  }

  /** The properties as JSON; undefined for nobody. */
  async properties(
    identifier: string,
    table?: 'users' | 'groups',
    environment?: string,
  ): Promise<unknown> {
    const stored = await this.find(identifier, table, environment);
    return stored && (JSON.parse(stored.properties) as unknown);
  }

  /** Identifiers of the groups that a user belongs to, sorted. */
  async groupsOf(identifier: string): Promise<string[]> {
    const [{ id }] = (await this.dataSource.query(
      "SELECT id FROM environments WHERE name = 'development'",
    )) as [{ id: string }];
    const rows = (await this.dataSource.query(
      'SELECT g.identifier FROM memberships m JOIN groups g USING (group_id) WHERE m.user_id = $1 ORDER BY 1',
      [userId(id, identifier)],
    )) as { identifier: string }[];
    return rows.map((row) => row.identifier);
  }

  /** A number that changes with every row that is written. */
  async fingerprint(): Promise<unknown> {
    const of = (table: string) =>
      `(SELECT count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) FROM ${table})`;
    return this.dataSource.query(
      `SELECT ${of('users')} AS u, ${of('groups')} AS g, ${of('memberships')} AS m`,
    );
  }
}
