import { expect, test } from '@jest/globals';
import type { ClaimedEffect } from '@waymark/domain/outbound';
import type { Metrics } from '@waymark/service-kit/observability';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { recordEffectTroubles, recordOutcomes, recordWaitingEffects } from './effect-metrics.js';

const listen = () => {
  const lines: string[] = [];
  const metrics = { registry: new Registry() } as Metrics;
  return { lines, metrics, logger: pino({}, { write: (line: string) => void lines.push(line) }) };
};
const effect = {
  id: 'e1',
  environment: 'production',
  flow: 'hello',
  version: 1,
  attempts: 1,
  user: 'ada@acme.test',
  effect: { kind: 'flow-trigger' },
};

test('a failure is counted and logged by its code, without the user (S19)', async () => {
  const { lines, metrics, logger } = listen();
  const record = recordOutcomes(metrics, logger);
  record(effect as ClaimedEffect, 'failed', {
    code: 'user.unknown',
    error: 'there is no user "ada@acme.test"',
    isFinal: true,
  });
  expect(JSON.parse(lines.join())).toMatchObject({ level: 50, id: 'e1', code: 'user.unknown' });
  expect(lines.join()).not.toContain('ada@acme.test');
  expect(await metrics.registry.metrics()).toContain(
    'waymark_effects_total{environment="production",kind="flow-trigger",outcome="failed"} 1',
  );
});

test('trouble with the database is counted and logged (R3)', async () => {
  const { lines, metrics, logger } = listen();
  recordEffectTroubles(metrics, logger)(new Error('statement timeout'));
  expect(JSON.parse(lines.join())).toMatchObject({
    level: 40,
    err: { message: 'statement timeout' },
  });
  expect(await metrics.registry.metrics()).toContain('waymark_effect_troubles_total 1');
});

test('what waits is counted by environment and kind, looked up once for one reading, and not at all while the database is away', async () => {
  const { metrics } = listen();
  let asked = 0;
  let isAway = true;
  recordWaitingEffects(metrics, () => {
    asked++;
    if (isAway) return Promise.reject(new Error('away'));
    return Promise.resolve([
      { environment: 'production', kind: 'webhook', waiting: 3, oldestSeconds: 90.5 },
      { environment: 'production', kind: 'flow-trigger', waiting: 0, oldestSeconds: 0 },
    ]);
  });
  expect(await metrics.registry.metrics()).not.toContain('waymark_effects_waiting{');
  isAway = false;
  asked = 0;
  const text = await metrics.registry.metrics();
  expect(asked).toBe(1);
  expect(text).toContain('waymark_effects_waiting{environment="production",kind="webhook"} 3');
  expect(text).toContain('waymark_effects_waiting{environment="production",kind="flow-trigger"} 0');
  expect(text).toContain(
    'waymark_effects_oldest_seconds{environment="production",kind="webhook"} 90.5',
  );
});
