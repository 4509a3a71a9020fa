import { setTimeout as pause } from 'node:timers/promises';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { call } from '../services/call.js';
import { IN_TIME, type StartedService } from '../services/start-service.js';
import { untilSoon } from '../services/until.js';
import type { AttackName } from './attacks.js';
import type { AttackTarget } from './raw-client.js';

/**
 * Limits as they are by default. Honest clients are behind a proxy of this machine, the attacker
 * comes directly.
 */
export const ATTACKED_SETTINGS = {
  ...IN_TIME,
  TRUSTED_PROXIES: '127.0.0.1',
  REQUESTS_PER_ADDRESS: '1000',
};
export const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7' };

/**
 * Honest clients ask one thing after the other, so that they ask less where the machine is busy
 * with other things.
 */
const CLIENTS = 8;
/** Connections of the test itself. */
export const MOST_LEFT = 2 * CLIENTS;
const REQUESTS_OF_EACH = 10;
const PAUSE_MS = 100;
/** Honest clients try again for a while, as the answer says. */
const PATIENCE_MS = 45_000;
const AGAIN_MS = 100;
/** The share of honest requests that has to be answered during an attack (R13). */
export const LEAST_GOODPUT = 0.7;
const ROUNDS = 2;

/** Sends one honest request; resolves with whether it got the right answer. */
export type Ask = (signal: AbortSignal) => Promise<boolean>;

/** The built file: a process of Node cannot run the source. */
const MAIN = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../dist/attacks/main.js');

/** How long an attacker may take to open its first connection. */
const BEGUN_MS = 240_000;

/**
 * The goodput of honest clients during an attack, against the same clients without it: a machine
 * that is busy with other things is slow for both. Without the attack it is 1 at most, so it is
 * requested only where there is less during the attack.
 */
export async function goodputDuring(
  name: AttackName,
  target: AttackTarget,
  ask: Ask,
): Promise<number> {
  for (let round = 1; ; round++) {
    const stop = await startAttack(name, target);
    const attacked = await askForAWhile(ask);
    await stop();
    if (attacked >= LEAST_GOODPUT) return attacked;
    const calm = await askForAWhile(ask);
    const goodput = calm === 0 ? 0 : attacked / calm;
    if (goodput >= LEAST_GOODPUT || round === ROUNDS) return goodput;
  }
}

/**
 * Attacks from another process until the returned function is called; that resolves when the
 * attacker is gone. Resolves when the first connection is open; rejects, then or at the end, for an
 * attacker that failed by itself or cannot connect.
 */
export async function startAttack(
  name: AttackName,
  target: AttackTarget,
): Promise<() => Promise<void>> {
  const attacker = fork(MAIN, [name, JSON.stringify(target)], { stdio: 'inherit', execArgv: [] });
  const gone = once(attacker, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the attacker of ${name} ended with ${String(code)}`);
  });
  const late = new AbortController();
  const unheard = pause(BEGUN_MS, undefined, { signal: late.signal }).then(() => {
    attacker.kill('SIGKILL');
    throw new Error(`the attacker of ${name} cannot connect to ${target.url}`);
  });
  await Promise.race([once(attacker, 'message'), gone, unheard]).finally(() => late.abort());
  return async () => {
    if (attacker.connected) attacker.send('stop');
    await gone;
  };
}

/**
 * Lets honest clients ask for a while; which part of what they had to ask was answered as it should
 * be.
 */
export async function askForAWhile(ask: Ask): Promise<number> {
  const answered = await Promise.all(Array.from({ length: CLIENTS }, () => askInTurn(ask)));
  return answered.reduce((sum, one) => sum + one, 0) / (CLIENTS * REQUESTS_OF_EACH);
}

/**
 * One client, who goes away for good when its patience is over; how many requests were answered.
 */
async function askInTurn(ask: Ask): Promise<number> {
  for (let answered = 0; answered < REQUESTS_OF_EACH; answered++) {
    if (!(await persist(ask))) return answered;
    await pause(PAUSE_MS);
  }
  return REQUESTS_OF_EACH;
}

async function persist(ask: Ask): Promise<boolean> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  while (!patience.aborted) {
    if (await ask(patience).catch(() => false)) return true;
    await pause(AGAIN_MS);
  }
  return false;
}

/** A number of the metrics of a service. */
export async function readMetric({ metricsUrl }: StartedService, name: string): Promise<number> {
  const { text } = await call({ url: metricsUrl }, 'GET /metrics');
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

/**
 * Waits until nothing is left of an attack: no request under way or waiting, and no connection but
 * those of the test.
 */
export async function untilAtRest(service: StartedService, mostLeft = MOST_LEFT): Promise<void> {
  const isAtMost = (most: number, name: string) =>
    untilSoon(`at most ${most} of ${name}`, async () => (await readMetric(service, name)) <= most);
  await isAtMost(0, 'waymark_requests_running');
  await isAtMost(0, 'waymark_requests_waiting');
  await isAtMost(mostLeft, 'waymark_connections');
}
