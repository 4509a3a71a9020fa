/** Somebody wants the stack to stop. */
export interface StopRequest {
  signal: AbortSignal;
  requested: Promise<void>;
}

const PARENT_POLL_MS = 200;

/**
 * A stop by signal, or by the end of the shell that npm runs a script with: SIGTERM reaches that shell alone, which ends
 * without a word. A second signal changes nothing: npm passes on the Ctrl-C that the terminal has sent already.
 */
export function onStopRequest(startedByNpm: boolean): StopRequest {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    const stop = (): void => {
      controller.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (startedByNpm) onParentEnd(stop);
  });
  return { signal: controller.signal, requested };
}

function onParentEnd(stop: () => void): void {
  const { ppid } = process;
  const poll = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(poll);
    stop();
  }, PARENT_POLL_MS).unref();
}
