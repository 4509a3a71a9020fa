import { toError, type WaymarkError } from './error.js';
import { FIRST_PAUSE, LONGEST_ASKED_SECONDS, LONGEST_PAUSE } from './limits.js';

/**
 * Does steps one after the other while there are any, until it is closed; what fails is tried again
 * after a pause.
 */
export type CreateLoop = (
  /** Returns nothing when nothing is left to do. */
  step: () => Promise<unknown> | undefined | null,
) => readonly [run: () => void, reset: () => void];

/**
 * Loops whose pauses grow and differ by chance, and a function that cuts all pauses short. A
 * failure that repeats is reported once.
 */
export function createLoops(signal: AbortSignal, onError: (error: WaymarkError) => void) {
  const wakes = new Map<unknown, () => void>();

  const createLoop: CreateLoop = (step) => {
    let isRunning = false;
    let tries = 0;
    let reported: string | undefined;

    const reset = (): void => {
      tries = 0;
      reported = '';
    };
    async function run(): Promise<void> {
      if (isRunning) return;
      isRunning = true;
      for (let work; !signal.aborted && (work = step());) {
        try {
          await work;
          reset();
        } catch (failure) {
          const error = toError(failure);
          if (failure && reported !== (reported = error.details)) onError(error);
          if (signal.aborted) break;
          await new Promise<void>((resolve) => {
            const asked = Math.min(error.retryAfter!, LONGEST_ASKED_SECONDS) * 1000 || 0;
            const own =
              Math.min(FIRST_PAUSE * 2 ** tries++, LONGEST_PAUSE) * (0.5 + Math.random() / 2);
            const timer = setTimeout(resolve, own + asked);
            // A pause that the service requested is never cut short.
            wakes.set(step, () => {
              if (asked && !signal.aborted) return;
              clearTimeout(timer);
              resolve();
            });
          });
        }
      }
      isRunning = false;
    }
    return [run, reset];
  };
  return [createLoop, () => wakes.forEach((wake) => wake())] as const;
}
