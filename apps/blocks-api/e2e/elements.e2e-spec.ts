import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { type SpawnedService, spawnService } from '@waymark/testing/services';

describe('the scripts that pages load', () => {
  let database: TestDatabase;
  let service: SpawnedService;
  let other: SpawnedService;
  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, CORS_ORIGINS: 'https://app.example' };
    service = await spawnService('blocks-api', settings);
    other = await spawnService('blocks-api', { ...settings, ELEMENTS: 'off' });
  });
  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await database.drop();
  });

  test.each(['elements.js', 'elements-debug.js'])(
    '%s is for every page, without a key, compressed, kept for five minutes and asked again by its tag (N1)',
    async (name) => {
      const headers = { origin: 'https://elsewhere.example' };
      const answer = await fetch(`${service.url}/${name}`, { headers });
      expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
        200,
        expect.objectContaining({
          'access-control-allow-origin': '*',
          'cache-control': 'public, max-age=300',
          'content-encoding': 'gzip',
          'content-type': 'text/javascript; charset=utf-8',
          'cross-origin-resource-policy': 'cross-origin',
        }),
      ]);
      expect(await answer.text()).toContain('export');
      const etag = answer.headers.get('etag')!;
      for (const known of [etag, `"other", W/${etag}`, '*']) {
        const again = await fetch(`${service.url}/${name}`, {
          headers: { ...headers, 'if-none-match': known },
        });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([
          304,
          '',
          etag,
        ]);
        expect(again.headers.get('access-control-allow-origin')).toBe('*');
      }
      expect(await fetch(`${service.url}/${name}`, { method: 'POST' })).toMatchObject({
        status: 405,
      });
    },
  );

  test('they are off where ELEMENTS is (N1)', async () => {
    const answer = await fetch(`${other.url}/elements.js`);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({
        details: 'ELEMENTS is off here, so that /elements.js is not served',
      }),
    ]);
  });
});
