import { createKey, revokeKey, type KeyKind } from '@waymark/domain/environments';
import type { DataSource } from 'typeorm';

/** A key of every sort that a route for keys of that kind refuses (W1), by what is wrong with it. */
export async function createRefusedKeys(dataSource: DataSource, kind: KeyKind): Promise<Record<string, string | undefined>> {
  const environment = 'development';
  const other = await createKey(dataSource, { environment, kind: kind === 'users' ? 'blocks' : 'users' }, { by: 'test' });
  const revoked = await createKey(dataSource, { environment, kind }, { by: 'test' });
  await revokeKey(dataSource, revoked.id, { by: 'test' });
  const expired = await createKey(dataSource, { environment, kind, expiresInMs: 0 }, { by: 'test' });
  return {
    missing: undefined,
    empty: '',
    'not like a key': 'x',
    unknown: `${kind}-${'A'.repeat(43)}`,
    'of the other kind': other.key,
    revoked: revoked.key,
    expired: expired.key,
  };
}

/** One request for every route that needs a key, such as `POST /v2/flow/x/start`. */
export const guardedRequests = (routes: readonly { method: string; url: string; access: string }[]): string[] =>
  routes.filter(({ access }) => access !== 'public').map(({ method, url }) => `${method} ${url.replace(/:[a-z]+/gi, 'x')}`);
