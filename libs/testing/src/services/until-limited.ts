import type { Answer } from './call.js';

/** Sends the same request so many times, without waiting in between. */
export const atOnce = (times: number, ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, ask));

/** Asks until one too many is answered with 429; all the answers. What may be asked fills up meanwhile, so that nobody knows which. */
export async function untilLimited(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!answers.some(({ status }) => status === 429)) answers.push(...(await atOnce(50, ask)));
  return answers;
}
