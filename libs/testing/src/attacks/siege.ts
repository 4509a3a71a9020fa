import { setTimeout as pause } from 'node:timers/promises';
import { call } from '../services/call.js';
import type { StartedService } from '../services/start-service.js';
import { until } from '../services/until.js';
import type { AttackName } from './attacks.js';
import { startAttack } from './start-attack.js';

/** Limits as they are by default. Honest clients are behind a proxy of this machine, the attacker comes directly. */
export const SIEGE_SETTINGS = { TRUSTED_PROXIES: '127.0.0.1', REQUESTS_PER_ADDRESS: '1000' };
export const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7' };

/** Long, as the machine may be busy with other tests; what is refused is told at once. */
const PATIENCE_MS = 10_000;
const PACE_MS = 20;

/** Of the requests that honest clients sent while somebody attacked, how many were answered as they should be. */
export interface Goodput {
  readonly asked: number;
  readonly answered: number;
}

/** Sends honest requests at a steady pace while an attack goes on; `ask` tells whether it got what it asked for. */
export async function besiege(
  name: AttackName,
  target: { url: string; key?: string },
  requests: number,
  ask: (signal: AbortSignal) => Promise<boolean>,
): Promise<Goodput> {
  const stop = startAttack(name, target);
  const answers: Promise<boolean>[] = [];
  for (let asked = 0; asked < requests; asked++) {
    answers.push(ask(AbortSignal.timeout(PATIENCE_MS)).catch(() => false));
    await pause(PACE_MS);
  }
  const answered = (await Promise.all(answers)).filter(Boolean).length;
  await stop();
  return { asked: requests, answered };
}

/** A number of the metrics of a service. */
export async function readMetric({ metricsUrl }: StartedService, name: string): Promise<number> {
  const { text } = await call({ url: metricsUrl }, 'GET /metrics');
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

/** Waits until nothing is left of an attack: no request under way or waiting, and no connection but a few of ours. */
export async function untilAtRest(service: StartedService): Promise<void> {
  await until(async () => (await readMetric(service, 'waymark_requests_running')) === 0);
  await until(async () => (await readMetric(service, 'waymark_requests_waiting')) === 0);
  await until(async () => (await readMetric(service, 'waymark_connections')) <= 64);
}
