import { Batcher } from '../../database/batcher.js';
import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { Subject } from '../../targeting/index.js';
import { READ_LIMITS } from './flow-state-reader.js';

type Properties = Subject['properties'];

const LOAD_PROPERTIES = defineStatement(
  'load_properties_of_users',
  'SELECT user_id AS "userId", properties FROM users WHERE user_id = ANY ($1::uuid[])',
);

/** Reads what texts show of users; those requested at the same time share a statement (Z5). */
export class PropertiesReader {
  private readonly batcher: Batcher<string, Properties>;

  constructor(private readonly database: Database) {
    this.batcher = new Batcher((userIds) => this.load(userIds), READ_LIMITS);
  }

  /** What a user has now; nothing for one who is not there (any more). */
  find(userId: string): Promise<Properties> {
    return this.batcher.add(userId);
  }

  private async load(userIds: readonly string[]): Promise<Properties[]> {
    const rows = await this.database.run<{ userId: string; properties: Properties }>(
      LOAD_PROPERTIES,
      [userIds],
    );
    const found = new Map(rows.map(({ userId, properties }) => [userId, properties]));
    return userIds.map((userId) => found.get(userId) ?? {});
  }
}
