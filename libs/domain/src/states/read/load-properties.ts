import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { Subject } from '../../targeting/index.js';

const LOAD_PROPERTIES = defineStatement(
  'load_properties_of_user',
  'SELECT properties FROM users WHERE user_id = $1',
);

/** What a user has now; nothing for one who is not there (any more). */
export async function loadProperties(
  database: Database,
  userId: string,
): Promise<Subject['properties']> {
  const [row] = await database.run<Pick<Subject, 'properties'>>(LOAD_PROPERTIES, [userId]);
  return row?.properties ?? {};
}
