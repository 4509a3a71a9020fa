import { defineStatement, type Database } from '@waymark/domain/database';
import { MIGRATIONS } from '@waymark/domain/schema';

const LOAD_APPLIED = defineStatement('load_applied_migrations', 'SELECT name FROM migrations');
const NO_TABLE = '42P01';

/** Names of the migrations that this release has and the database has not; a newer schema does not matter here. */
export async function loadPendingMigrations(database: Database): Promise<string[]> {
  const applied = new Set(await loadApplied(database));
  return MIGRATIONS.map((migration) => migration.name).filter((name) => !applied.has(name));
}

async function loadApplied(database: Database): Promise<string[]> {
  try {
    return (await database.run<{ name: string }>(LOAD_APPLIED, [])).map((row) => row.name);
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_TABLE) return [];
    throw error;
  }
}
