import { Database } from '@waymark/domain/database';
import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { Json } from '@waymark/domain/json';
import {
  type Announcement,
  type CommandOrRead,
  type CommandOptions,
  type CommandResult,
  FlowEventRow,
  FlowStateRow,
  RunCommand,
  type StateChange,
  StateChanges,
  type UnchangedBlock,
} from '@waymark/domain/flow-states';
import { commitFlow, FlowCatalogue, storeDefinition, type VersionRef } from '@waymark/domain/flows';
import { groupId, userId } from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../postgres/index.js';
import { until } from '../services/until.js';

/** Remembers what was announced, in order. */
export class RememberedChanges extends StateChanges {
  readonly changes: StateChange[] = [];
  readonly unchanged: UnchangedBlock[] = [];

  announce(announcement: Announcement): void {
    if ('revision' in announcement) this.changes.push(announcement);
    else this.unchanged.push(announcement);
  }
}

/** One replica's view of a database of its own, with what it takes to put flows and users on it. */
export class Stage {
  readonly changes = new RememberedChanges();
  readonly catalogue: FlowCatalogue;
  readonly runner: RunCommand;

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly dataSource: DataSource,
    readonly environmentId: string,
    readonly database = new Database(dataSource),
  ) {
    this.catalogue = new FlowCatalogue(database);
    // Time for a machine that is busy with other things.
    this.runner = new RunCommand(database, this.catalogue, this.changes, { patienceMs: 300_000 });
  }

  /** On a new database, or on one that is there already and migrated. */
  static async open(options: { partitioned?: boolean; database?: TestDatabase } = {}): Promise<Stage> {
    const database = options.database ?? (await createTestDatabase(options));
    const dataSource = await database.connect();
    const [row] = (await dataSource.query("SELECT id FROM environments WHERE name = 'development'")) as { id: string }[];
    return new Stage(database, dataSource, row!.id);
  }

  /** Another replica on the same database. */
  async replica(): Promise<Stage> {
    return new Stage(this.testDatabase, await this.testDatabase.connect(), this.environmentId);
  }

  close(): Promise<void> {
    return this.testDatabase.drop();
  }

  /** Writes version 0. Block identifiers of different flows must differ, since `defineFlow` makes uids of them. */
  async apply(...definitions: FlowDefinition[]): Promise<void> {
    for (const definition of definitions) await this.dataSource.transaction((manager) => storeDefinition(manager, definition));
    await this.catalogue.refresh();
  }

  /** Writes version 0 and makes it the next commit, whose number is returned. */
  async commit(definition: FlowDefinition, strategy: MigrationStrategy = 'carry-over'): Promise<number> {
    await this.apply(definition);
    const { version } = await this.dataSource.transaction((manager) => commitFlow(manager, definition.flow, 'test', strategy));
    await this.catalogue.refresh();
    return version;
  }

  identify(identifier: string, properties: Record<string, Json> = {}): Promise<void> {
    return this.identifyAll([identifier], () => properties);
  }

  /** Many users in one statement. */
  async identifyAll(identifiers: readonly string[], propertiesOf: (index: number) => Record<string, Json>): Promise<void> {
    const rows = identifiers.map((identifier) => userId(this.environmentId, identifier));
    await this.dataSource.query(
      `INSERT INTO users (user_id, environment_id, identifier, properties)
       SELECT u.id, $1, u.identifier, u.properties::jsonb FROM unnest($2::uuid[], $3::text[], $4::text[]) u (id, identifier, properties)
       ON CONFLICT (user_id) DO UPDATE SET properties = excluded.properties`,
      [this.environmentId, rows, identifiers, identifiers.map((_, index) => JSON.stringify(propertiesOf(index)))],
    );
  }

  async identifyGroup(identifier: string, properties: Record<string, Json> = {}): Promise<void> {
    await this.dataSource.query('INSERT INTO groups (group_id, environment_id, identifier, properties) VALUES ($1, $2, $3, $4)', [
      groupId(this.environmentId, identifier),
      this.environmentId,
      identifier,
      JSON.stringify(properties),
    ]);
  }

  /** Makes a user who is there already a member of groups that are. */
  async join(user: string, ...groups: string[]): Promise<void> {
    await this.dataSource.query('INSERT INTO memberships (user_id, group_id) SELECT $1, unnest($2::uuid[])', [
      userId(this.environmentId, user),
      groups.map((group) => groupId(this.environmentId, group)),
    ]);
  }

  /** `user` may be `user/group`. */
  async run(
    user: string,
    flow: string,
    version: VersionRef,
    asked: CommandOrRead,
    options?: CommandOptions,
  ): Promise<CommandResult> {
    const [name, group] = user.split('/') as [string, string?];
    const resolved = await this.catalogue.getFlow(flow, version, this.environmentId);
    return this.runner.run(resolved, { environmentId: this.environmentId, user: name, ...(group && { group }) }, asked, options);
  }

  read(user: string, flow: string, version: VersionRef = 'latest'): Promise<CommandResult> {
    return this.run(user, flow, version, { kind: 'read', starts: true });
  }

  /** A transition of the block with that identifier. */
  async take(user: string, flow: string, version: VersionRef, block: string, names: string[], options?: CommandOptions) {
    const { compiled } = await this.catalogue.getFlow(flow, version, this.environmentId);
    return this.run(user, flow, version, { kind: 'transition', block: compiled.byIdentifier.get(block)!.uid, names }, options);
  }

  findState(user: string, flow: string, version: number): Promise<FlowStateRow | null> {
    return this.dataSource.getRepository(FlowStateRow).findOneBy({ userId: userId(this.environmentId, user), flow, version });
  }

  loadEvents(user: string, flow: string, version: number): Promise<FlowEventRow[]> {
    const where = { userId: userId(this.environmentId, user), flow, version };
    return this.dataSource.getRepository(FlowEventRow).find({ where, order: { revision: 'ASC' } });
  }

  /**
   * Waits until followers of the log may see what was committed so far: a test beside this one, in another database of the
   * same server, holds it back for as long as it writes (E3).
   */
  async untilTold(): Promise<void> {
    const read = async (end: 'xmin' | 'xmax') => {
      const [row] = await this.dataSource.query<{ transaction: string }[]>(
        `SELECT pg_snapshot_${end}(pg_current_snapshot())::text AS transaction`,
      );
      return BigInt(row!.transaction);
    };
    const next = await read('xmax');
    await until(async () => (await read('xmin')) >= next);
  }
}
