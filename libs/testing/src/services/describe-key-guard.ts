import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, type KeyKind, revokeKey } from '@waymark/domain/access';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../postgres/index.js';
import { call } from './call.js';
import { expectDocumented } from './expect-documented.js';
import { type SettingsByName, type StartedService, startService } from './start-service.js';
import { until } from './until.js';

/** One request for every route that needs a key, such as `POST /v2/flow/x/start`. */
export const guardedRequests = (
  routes: readonly { method: string; url: string; access: string }[],
): string[] =>
  routes
    .filter(({ access }) => access !== 'public')
    .map(({ method, url }) => `${method} ${url.replace(/:[a-z]+/gi, 'x')}`);

export interface GuardedService {
  /** Boots the service. */
  readonly start: (
    settings: SettingsByName,
  ) => Promise<StartedService & { routes: Parameters<typeof guardedRequests>[0] }>;
  /** The kind of key its routes require. */
  readonly kind: KeyKind;
  /** A request that requires one, with `x` for every parameter. */
  readonly sample: string;
  /** Routes of its own that are open to anybody. */
  readonly open?: readonly string[];
}

/** The tests of W1 that every service has to pass, on each route of its router. */
export function describeKeyGuard(
  name: string,
  { start, kind, sample, open: ownOpen = [] }: GuardedService,
): void {
  describe(`the key guard of ${name}`, () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    let service: Awaited<ReturnType<typeof start>>;

    beforeAll(async () => {
      database = await createTestDatabase();
      dataSource = await database.connect();
      service = await startService(start, { DATABASE_URL: database.url });
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    test('only health, docs and what pages load are open to anybody (W1)', () => {
      const open = service.routes
        .filter(({ access }) => access === 'public')
        .map(({ method, url }) => `${method} ${url}`);
      expect(new Set(open.filter((route) => !route.startsWith('HEAD ')))).toEqual(
        new Set([
          ...['', '/json', '/start.js', '/viewer.css', '/viewer.js'].map(
            (file) => `GET /docs${file}`,
          ),
          ...['', '/live', '/ready'].map((check) => `GET /health${check}`),
          ...ownOpen,
        ]),
      );
    });

    test('every other route refuses a missing, unknown, revoked, expired or wrong-kind key alike (W1)', async () => {
      const requests = guardedRequests(service.routes);
      expect(requests).toContain(sample);
      const keys = await createRefusedKeys(dataSource, kind);
      const answers = new Set<string>();
      for (const request of requests) {
        for (const key of Object.values(keys)) {
          const answer = await call(service, request, { key, headers: { 'x-request-id': 'same' } });
          expect([request, answer.status]).toEqual([request, 401]);
          if (answer.method !== 'HEAD') answers.add(answer.text);
          await expectDocumented(answer);
        }
      }
      const details = `the x-api-key header has to carry a valid ${kind} key, one that begins with "${kind}-"`;
      expect([...answers]).toEqual([
        JSON.stringify({ code: 'unauthorized_error', details, requestId: 'same' }),
      ]);
    });

    test('every other route lets a good key pass, also one that is younger than the process (W1)', async () => {
      const { key } = await createKey(
        dataSource,
        { environment: 'development', kind },
        { by: 'test' },
      );
      for (const request of guardedRequests(service.routes)) {
        const answer = await call(service, request, { key });
        expect([request, answer.status]).not.toEqual([request, 401]);
      }
    });

    test('a key that is revoked while the service runs is soon refused (W1)', async () => {
      const { id, key } = await createKey(
        dataSource,
        { environment: 'development', kind },
        { by: 'test' },
      );
      expect(await isRefused(key)).toBe(false);
      await revokeKey(dataSource, id, { by: 'test' });
      await until(() => isRefused(key));
    });

    test('a key that expires while the service runs is refused from then on (W1)', async () => {
      // Again with one that lives longer, where it had expired before it was used.
      for (let expiresInMs = 2_000; ; expiresInMs *= 2) {
        const { key } = await createKey(
          dataSource,
          { environment: 'development', kind, expiresInMs },
          { by: 'test' },
        );
        if (await isRefused(key)) continue;
        return until(() => isRefused(key));
      }
    });

    const isRefused = async (key: string) => (await call(service, sample, { key })).status === 401;
  });
}

/**
 * A key of every sort that a route for keys of that kind refuses (W1), by what is wrong with it.
 */
export async function createRefusedKeys(
  dataSource: DataSource,
  kind: KeyKind,
): Promise<Record<string, string | undefined>> {
  const environment = 'development';
  const other = await createKey(
    dataSource,
    { environment, kind: kind === 'users' ? 'blocks' : 'users' },
    { by: 'test' },
  );
  const revoked = await createKey(dataSource, { environment, kind }, { by: 'test' });
  await revokeKey(dataSource, revoked.id, { by: 'test' });
  const expired = await createKey(
    dataSource,
    { environment, kind, expiresInMs: 0 },
    { by: 'test' },
  );
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
