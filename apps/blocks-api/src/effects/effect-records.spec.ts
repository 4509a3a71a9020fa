import { expect, test } from '@jest/globals';
import { type ClaimedEffect, EffectFailure } from '@waymark/domain/effects';
import type { Metrics } from '@waymark/service-kit/metrics';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { recordOutcomes, recordTroubles } from './effect-records.js';

const listen = () => {
  const lines: string[] = [];
  const metrics = { registry: new Registry() } as Metrics;
  return { lines, metrics, logger: pino({}, { write: (line: string) => void lines.push(line) }) };
};
const effect = { id: 'e1', flow: 'hello', version: 1, attempts: 1, user: 'ada@acme.test', effect: { kind: 'flow-trigger' } };

test('a failure is counted and logged by its code, without the user (S19)', async () => {
  const { lines, metrics, logger } = listen();
  const record = recordOutcomes(metrics, logger);
  record(effect as ClaimedEffect, 'failed', new EffectFailure('user.unknown', 'there is no user "ada@acme.test"'));
  expect(JSON.parse(lines.join())).toMatchObject({ level: 50, id: 'e1', code: 'user.unknown' });
  expect(lines.join()).not.toContain('ada@acme.test');
  expect(await metrics.registry.metrics()).toContain('waymark_effects_total{kind="flow-trigger",outcome="failed"} 1');
});

test('trouble with the database is counted and logged (R3)', async () => {
  const { lines, metrics, logger } = listen();
  recordTroubles(metrics, logger)(new Error('statement timeout'));
  expect(JSON.parse(lines.join())).toMatchObject({ level: 40, err: { message: 'statement timeout' } });
  expect(await metrics.registry.metrics()).toContain('waymark_effect_troubles_total 1');
});
