import { toError, type WaymarkError } from './error.js';
import { createPause } from './pause.js';
import type { Call } from './request.js';
import type { FlowsAnswer } from './wire.js';

/** Reads, again and again until there is an answer; and ways to try at once, and to end it. */
export function createReader(
  /** Asks once. */
  ask: () => Promise<void>,
  onError: (error: WaymarkError) => void,
  /** It works again. */
  onMended: () => void,
) {
  const [wait, reset, wake] = createPause();
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isClosed = false;

  async function tryAll(): Promise<void> {
    for (let isBroken = false; !isClosed; isBroken = true) {
      try {
        await ask();
        if (isBroken) onMended();
        return reset();
      } catch (failure) {
        const error = toError(failure);
        onError(error);
        await wait(error.retryAfter);
      }
    }
  }
  /** Begins now, or after the one under way: what was committed before the call is in it. Never rejects. */
  function read(): Promise<void> {
    if (reading) return (next ??= reading.then(read));
    next = undefined;
    return (reading = tryAll().finally(() => (reading = undefined)));
  }
  const close = (): void => {
    isClosed = true;
    wake();
  };
  return [read, wake, close] as const;
}

/** Throws for whatever is not an answer of the service. */
export async function loadFlows(call: Call, names: readonly string[]): Promise<FlowsAnswer> {
  const query = names.map((name) => ['flow', name] as const);
  const answer = (await (await call('flows', [...query, ['include', 'block']])).json()) as FlowsAnswer;
  for (const { blocks } of answer.flows) blocks!.map(({ sid, fields }) => sid + fields.length);
  return answer;
}
