import pg from 'pg';
import { createDataSource } from '@waymark/domain/schema';

/** A connected data source with settings fit for tests. */
export const connect = (url: string) =>
  createDataSource({
    url,
    poolSize: 5,
    applicationName: 'waymark-test',
    statementTimeoutMs: 0,
    connectTimeoutMs: 120_000,
    answerTimeoutMs: 0,
  }).initialize();

/** Runs statements on a connection of its own. */
export async function administer<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'waymark-test-admin' });
  try {
    await client.connect();
    return await work(client);
  } finally {
    // Also after a refused login: PostgreSQL drops no database while a client is logging in.
    await client.end();
  }
}

/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
