import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, CallError } from '../api/call.js';

/** A resource that is loaded: what is known of it, and whether it is on its way. */
export interface Loaded<Value> {
  value: Value | undefined;
  error: string | undefined;
  isLoading: boolean;
  reload(): void;
}

/**
 * Loads what `key` names, again whenever the key changes; undefined loads nothing. What was known
 * of the same key stays in sight while it is loaded again.
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const [state, setState] = useState<{
    key?: string;
    value?: Value;
    error?: string;
    isLoading: boolean;
  }>({ isLoading: true });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    if (key === undefined) return undefined;
    const controller = new AbortController();
    setState((before) =>
      before.key === key ? { ...before, isLoading: true } : { key, isLoading: true },
    );
    load(controller.signal).then(
      (value) => controller.signal.aborted || setState({ key, value, isLoading: false }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const message =
          error instanceof CallError ? error.message : 'Something went wrong in this page.';
        setState((before) => ({
          ...(before.value !== undefined && { value: before.value }),
          key,
          error: message,
          isLoading: false,
        }));
      },
    );
    return () => controller.abort();
    // The function is a new one at every rendering; the key says what it loads.
  }, [key, round]);
  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
  };
}

/** Loads what the server answers under an address. */
export const useAnswer = <Answer,>(address: string): Loaded<Answer> =>
  useLoaded(address, (signal) => call<Answer>(address, { signal }));

/**
 * Loads again while the page is visible and as soon as it is visible again, with pauses of so long,
 * or ten times as long as loading takes.
 */
export function useAgain({ isLoading, reload }: Loaded<unknown>, pauseMs: number): void {
  const began = useRef(0);
  useEffect(() => {
    if (isLoading) {
      began.current = Date.now();
      return undefined;
    }
    const again = (): void => {
      if (!document.hidden) reload();
    };
    const timer = setInterval(again, Math.max(pauseMs, 10 * (Date.now() - began.current)));
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [isLoading, reload, pauseMs]);
}

interface ShownProps<Value> {
  of: Loaded<Value>;
  /** What is loading, for those who cannot see that something is. */
  what: string;
  children: (value: Value) => ComponentChildren;
}

/** What was loaded, or that it is on its way, or why it could not be. */
export function Shown<Value>({ of: { value, error, reload }, what, children }: ShownProps<Value>) {
  if (value !== undefined)
    return (
      <>
        {error !== undefined && <Trouble text={error} onRetry={reload} />}
        {children(value)}
      </>
    );
  if (error !== undefined) return <Trouble text={error} onRetry={reload} />;
  return <Waiting what={what} />;
}

export function Waiting({ what }: { what: string }) {
  return (
    <div class="waiting" role="status">
      <span class="waiting-bar" />
      <span class="waiting-bar" />
      <span class="waiting-bar" />
      <span class="unseen">Loading {what}</span>
    </div>
  );
}

export function Trouble({ text, onRetry }: { text: string; onRetry?: (() => void) | undefined }) {
  return (
    <div class="note bad" role="alert">
      <p>{text}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Where there is nothing yet: says why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
