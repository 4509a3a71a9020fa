import { WAITING_SECONDS } from './requests/limits.js';
import type { CreateLoop } from './requests/loop.js';
import { loadFlows } from './requests/read-flows.js';
import { type Call, page } from './requests/request.js';
import type { FindFlow, FlowState, Known } from './views/flow-states.js';

/** Reads the flows of a page whenever it is called, and again when one that waits may start. */
export function createReader(
  createLoop: CreateLoop,
  call: Call,
  signal: AbortSignal,
  flows: readonly FlowState[],
  find: FindFlow,
  show: (known: Known) => void,
  isWaiting: () => boolean,
  reportMissing: (name: string) => void,
  order: readonly string[] = flows.map(({ known }) => known.sid),
) {
  const waiting: (() => void)[] = [];
  let later: ReturnType<typeof setTimeout>;

  async function readOnce(): Promise<void> {
    const count = waiting.length;
    const before = flows.map(({ known }) => known);
    const answer = await loadFlows(
      call,
      before.map(({ sid, version }) => `${sid}@${version}`),
    );
    for (const wire of answer.flows) {
      const { known } = find(wire.sid);
      // A push that came since the request may be newer than the answer.
      if (before.includes(known) || wire.revision >= known.revision) show(wire as Known);
    }
    order = answer.order ?? order;
    answer.unknown.forEach(reportMissing);
    for (const resolve of waiting.splice(0, count)) resolve();
    // By durations alone, since clocks of devices are wrong; another device may free a place before.
    clearTimeout(later);
    if (!signal.aborted)
      later = setTimeout(
        () => isWaiting() && !page.document?.hidden && read(),
        Math.min(
          WAITING_SECONDS,
          ...flows.map(({ known }) => known.waits?.seconds ?? WAITING_SECONDS),
        ) * 1000,
      );
  }
  const [run] = createLoop(() => waiting[0] && readOnce());
  /**
   * Begins now, or after the one under way: what was committed before the call is in it. Never
   * rejects.
   */
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      run();
    });
  return [read, () => order, () => clearTimeout(later)] as const;
}
