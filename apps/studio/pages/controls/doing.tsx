import { useState } from 'preact/hooks';
import { CallError } from '../api/call.js';

/** A request that changes something, from the click to its answer. */
interface Task {
  isBusy: boolean;
  error: string | undefined;
  /** Resolves to whether it was done. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/**
 * Runs such a request: shows while it is under way, so that no button starts it twice, and why it
 * failed.
 */
export function useDoing(): Task {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (failure) {
      setError(
        failure instanceof CallError ? failure.message : 'Something went wrong in this page.',
      );
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

/** Why it was not done. */
export function Doing({ of: { error } }: { of: Task }) {
  if (error === undefined) return null;
  return (
    <p class="note bad" role="alert">
      {error}
    </p>
  );
}
