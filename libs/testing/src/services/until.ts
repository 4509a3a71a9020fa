import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is yes; the time limit of the test ends it otherwise. */
export async function until(question: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await question())) await pause(20);
}
