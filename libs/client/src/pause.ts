const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Longest that a service may ask for. */
const LONGEST_ASKED_MS = 300_000;

/** Waits between tries, longer each time and never the same for all; a way to begin anew; and one that ends a wait at once. */
export function createPause() {
  let tries = 0;
  let wake = (): void => {};
  const wait = (askedSeconds: unknown): Promise<void> =>
    new Promise((resolve) => {
      const asked = Math.min(Number(askedSeconds) * 1000 || 0, LONGEST_ASKED_MS);
      const timer = setTimeout(
        resolve,
        Math.max(Math.min(FIRST_MS * 2 ** tries++, LONGEST_MS) * (0.5 + Math.random() / 2), asked),
      );
      // What the service asked for is kept, whoever is in a hurry.
      wake = () => {
        if (asked) return;
        clearTimeout(timer);
        resolve();
      };
    });
  const reset = (): void => {
    tries = 0;
  };
  return [wait, reset, () => wake()] as const;
}
