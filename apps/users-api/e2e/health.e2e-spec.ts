import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, expectDocumented } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

describe('health and metrics of the users API', () => {
  let fixture: IdentifyFixture;

  beforeAll(async () => {
    fixture = await IdentifyFixture.open();
  });
  afterAll(() => fixture.close());

  test.each(['GET /health', 'GET /health/live', 'GET /health/ready'])(
    '%s tells its name without a key',
    async (request) => {
      const answer = await call(fixture.service, request);
      const build = { version: expect.any(String), commit: expect.any(String) };
      expect([answer.status, answer.body]).toEqual([
        200,
        { application: 'users-api', status: 200, ...build },
      ]);
      await expectDocumented(answer);
    },
  );

  test('metrics are on a port of their own', async () => {
    await call(fixture.service, 'GET /health');
    const metrics = await call({ url: fixture.service.metricsUrl }, 'GET /metrics');
    expect(metrics.text).toMatch(
      /waymark_request_duration_seconds_count\{service="users-api",method="GET",route="\/health",status="200"\} \d/,
    );
    expect(metrics.text).toMatch(/waymark_database_connections\{/);
    expect(metrics.text).toMatch(
      /waymark_build_info\{version="[^"]+",commit="[^"]+",service="users-api"\} 1/,
    );
    expect((await call(fixture.service, 'GET /metrics')).status).toBe(404);
  });
});
