import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './call.js';

/** Asks again and again until the answer is yes; the time limit of the test ends it otherwise. */
export async function until(question: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await question())) await pause(20);
}

/** Like `until`, but throws an error that names `what` after two minutes. */
export async function untilSoon(
  what: string,
  question: () => boolean | Promise<boolean>,
): Promise<void> {
  const patience = AbortSignal.timeout(120_000);
  await until(async () => (await question()) || patience.aborted);
  if (patience.aborted && !(await question())) throw new Error(`after two minutes: not ${what}`);
}

/** Sends the same request so many times, without waiting in between. */
export const atOnce = (times: number, ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, ask));

/**
 * Asks until one too many is answered with 429; all the answers. The allowance refills during this,
 * so which one is refused is not known.
 */
export async function untilLimited(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!answers.some(({ status }) => status === 429)) answers.push(...(await atOnce(50, ask)));
  return answers;
}
