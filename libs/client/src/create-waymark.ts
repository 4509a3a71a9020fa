import { attempt, toError, WaymarkError } from './error.js';
import type { BlockName, FlowName, FlowReference } from './flows.js';
import { createQueue } from './queue.js';
import { createReader, loadFlows } from './reader.js';
import { type Access, createCalls } from './request.js';
import { createShown, forgetTold, type Known, type Shown, takeIn } from './shown.js';
import { createLive, type LiveSocketClass } from './socket.js';
import type { CommandStorage } from './storage.js';
import { createStores } from './stores.js';
import type { BlockView, FlowView, Store } from './view.js';
import type { FlowsAnswer, WireFlow } from './wire.js';

export interface WaymarkOptions extends Access {
  /** The flows of this page: they are read, which starts them for a user who qualifies. */
  readonly flows: readonly FlowReference[];
  /** Where commands wait until they are answered: `localStorage` in browsers, otherwise (`null`) memory. */
  readonly storage?: CommandStorage | null | undefined;
  /** The class where it is not global. Without one (`null`) flows are read every 30 seconds and after each command. */
  readonly WebSocket?: LiveSocketClass | null | undefined;
  /** Hears whatever went wrong, rejected commands too; the console where it is not given. */
  readonly onError?: ((error: WaymarkError) => void) | undefined;
  /** What `readFlows` gave on a server: shown at once. */
  readonly initial?: FlowsAnswer | undefined;
}

/** Waymark for one user, made once for a page. */
export interface Waymark {
  /** Resolves once there is data. */
  readonly ready: Promise<void>;
  /** Reads the flows again; whatever waits tries again at once. */
  refresh(): Promise<void>;
  /** Ends everything; commands that wait are kept for the next page. */
  close(): void;
  flow<Name extends FlowName>(name: Name): Store<FlowView<Name>>;
  block<Name extends BlockName>(name: Name): Store<BlockView<Name>>;
}

/** How often flows are read while no pushes come, and how long a push may take after a command. */
const POLL_MS = 30_000;
const PUSH_MS = 2_000;

interface Page {
  localStorage?: CommandStorage;
  WebSocket?: LiveSocketClass;
  document?: { visibilityState: string };
  addEventListener?: (event: string, listener: () => void, capture: boolean) => void;
  removeEventListener?: Page['addEventListener'];
}
const page = globalThis as Page;
/** A page that was asleep or offline may have missed anything. */
const WAKES = ['online', 'pageshow', 'visibilitychange'];

/**
 * Shows flows and blocks as they are, and sends what users do, of which nothing is lost: commands are kept until they are
 * answered, over reloads and offline time. Outside of browsers it asks nothing before somebody subscribes, waits or acts.
 */
export function createWaymark(options: WaymarkOptions): Waymark {
  // eslint-disable-next-line no-console -- a misspelt name would go unnoticed otherwise
  const { url, key, user, group, initial, onError = console.error } = options;
  const { WebSocket = page.WebSocket, storage = attempt(() => page.localStorage) } = options;
  const [call, getKey, forgetToken] = createCalls(options);
  const flows = options.flows.map(createShown);
  const told = new Set<string>();
  let isStarted = false;
  let isClosed = false;
  let poll: ReturnType<typeof setInterval>;
  let setReady: () => void;
  const ready = new Promise<void>((resolve) => (setReady = resolve));

  const find = (sid: string): Shown | undefined => flows.find((flow) => flow.sid === sid.split('.', 1)[0]);
  /** What goes wrong again and again by itself is told once. */
  const report = (error: WaymarkError): void => {
    if (!told.has(error.details)) onError(error);
    told.add(error.details);
  };
  const miss = (name: string): void => report(new WaymarkError('not_found_error', `${name} is not in the flows of this page`));

  const [getStore, stores] = createStores(
    find,
    (sid, verb, query) => {
      start();
      return add(sid, find(sid)?.version ?? 'latest', verb, query);
    },
    () => start(),
    (name) => queueMicrotask(() => miss(name)),
    (fault) => onError(toError(fault)),
  );
  const tell = (flow: Shown): void => {
    flow.turn++;
    for (const [name, store] of stores) if (find(name) === flow) store.tell();
  };
  const take = (flow: Shown, wire: WireFlow, isWhole: boolean): void => {
    takeIn(flow, wire, isWhole);
    tell(flow);
  };
  const takeAnswer = (answer: FlowsAnswer, before: readonly Known[]): void => {
    for (const wire of answer.flows) {
      const flow = find(wire.sid)!;
      // A push that came since the question may be newer than the answer.
      const isLate = !before.includes(flow.known) && wire.revision < flow.known.revision;
      if (!isLate) take(flow, wire, true);
    }
    answer.unknown.forEach(miss);
    setReady();
  };

  const [read, wakeReader, closeReader] = createReader(
    async () => {
      const before = flows.map(({ known }) => known);
      takeAnswer(
        await loadFlows(
          call,
          flows.map(({ sid, version }) => `${sid}@${version}`),
        ),
        before,
      );
    },
    report,
    () => told.clear(),
  );

  const [startLive, isLive, wakeLive, closeLive] = WebSocket
    ? createLive(
        options,
        WebSocket,
        getKey,
        forgetToken,
        () => flows.filter(({ known }) => known.version >= 0).map(({ sid, known }) => [sid, known.version]),
        (wire) => {
          const flow = find(wire.sid);
          if (flow?.known.version !== wire.version) return;
          // Older than what was read, unless the state was deleted meanwhile: a read tells.
          const isOlder = wire.revision < flow.known.revision;
          if (!isOlder) take(flow, wire, false);
          // The version that is being edited may have lost blocks.
          if (isOlder || !wire.version) void read();
        },
        report,
      )
    : [];

  const [add, send, wakeQueue, closeQueue, kept] = createQueue(
    call,
    storage,
    `waymark ${JSON.stringify([url, key, user, group])} `,
    (command) => {
      const flow = find(command.sid);
      if (!flow) return;
      flow.pending.add(command);
      forgetTold(flow);
      tell(flow);
      // A push is on its way, unless there are none.
      if (command.reached !== undefined) setTimeout(() => flow.pending.has(command) && read(), isLive?.() ? PUSH_MS : 0);
    },
    read,
    onError,
  );

  const wakes = [wakeReader, wakeLive, wakeQueue, read];
  const wake = (): void => {
    if (!isClosed && page.document?.visibilityState !== 'hidden') for (const one of wakes) void one?.();
  };
  function start(): void {
    if (isStarted) return;
    isStarted = true;
    void send();
    void read().then(startLive);
    poll = setInterval(() => isLive?.() || read(), POLL_MS);
    for (const event of WAKES) page.addEventListener?.(event, wake, true);
  }

  for (const command of kept) find(command.sid)?.pending.add(command);
  if (initial) takeAnswer(initial, []);
  for (const flow of flows) flow.initial = flow.known;
  if (page.document) start();
  return {
    get ready() {
      start();
      return ready;
    },
    refresh() {
      start();
      wake();
      return read();
    },
    close() {
      isStarted = isClosed = true;
      clearInterval(poll);
      for (const event of WAKES) page.removeEventListener?.(event, wake, true);
      for (const close of [closeReader, closeLive, closeQueue]) close?.();
    },
    flow: getStore as never,
    block: getStore as never,
  };
}
