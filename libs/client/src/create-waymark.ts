import { attempt, WaymarkError } from './requests/error.js';
import type { BlockName, FlowName, FlowReference, OneOf } from './shapes/flows.js';
import { POLL, PUSH_PATIENCE } from './requests/limits.js';
import { createLoops } from './requests/loop.js';
import { createQueue } from './commands/queue.js';
import { createReader } from './reader.js';
import { type Access, createCalls, page } from './requests/request.js';
import { createFlowStates } from './views/flow-states.js';
import { createLive, type LiveSocketClass } from './socket.js';
import type { CommandStorage } from './commands/storage.js';
import { createStores } from './views/stores.js';
import type { BlockViewOf, FlowViewOf, Store } from './shapes/view.js';
import type { FlowsAnswer } from './shapes/wire.js';

export interface WaymarkOptions extends Access {
  /**
   * The flows of this page, such as `['onboarding@3']`. They are read, which starts them for a user
   * who qualifies.
   */
  readonly flows: readonly FlowReference[];
  /**
   * Where commands wait until they are answered: `localStorage` in browsers, otherwise (`null`)
   * memory.
   */
  readonly storage?: CommandStorage | null | undefined;
  /**
   * The class where it is not global. Without one (`null`) flows are read every 30 seconds and
   * after each command.
   */
  readonly WebSocket?: LiveSocketClass | null | undefined;
  /** Called with every error, also of rejected commands; errors go to the console if left out. */
  readonly onError?: ((error: WaymarkError) => void) | undefined;
  /** What `readFlows` gave on a server: shown at once. */
  readonly initial?: FlowsAnswer | undefined;
}

/** Waymark for one user, made once for a page. */
export interface Waymark {
  /**
   * Resolves once there is data, at once with `initial`. Never rejects: failures are retried, and
   * passed to `onError`.
   */
  readonly ready: Promise<void>;
  /** The names of the flows, without versions, in the order to show them. */
  readonly flows: readonly FlowName[];
  /** Whether changes arrive by themselves: the socket is open. */
  readonly live: boolean;
  /** Hands what went wrong elsewhere, such as in what draws the blocks, to `onError`. */
  report(error: WaymarkError): void;
  /** Reads the flows again; waiting requests are retried at once. */
  refresh(): Promise<void>;
  /** Ends everything, as when the user signs out; commands that wait are kept for the next page. */
  close(): void;
  /** A flow by its name, `onboarding`: the same store each time. */
  flow<Name extends string>(name: OneOf<FlowName, Name>): Store<FlowViewOf<Name>>;
  /** A block or an item by its name, `onboarding.welcome`: the same store each time. */
  block<Name extends string>(name: OneOf<BlockName, Name>): Store<BlockViewOf<Name>>;
}

type PageWithGlobals = typeof page & {
  localStorage?: CommandStorage;
  WebSocket?: LiveSocketClass;
};

/**
 * Shows flows and blocks as they are, and sends what users do, of which nothing is lost: commands
 * are kept until they are answered, over reloads and offline time. Outside of browsers it sends
 * nothing before the first subscription, wait or action. Throws a WaymarkError at once without a
 * user or flows, and for a secret key in a page.
 * @example
 * const waymark = createWaymark({ url, key, user: me.id, flows: ['onboarding@3'] });
 * waymark.block('onboarding.welcome').subscribe(({ active, fields, complete }) => { … });
 */
export function createWaymark(options: WaymarkOptions): Waymark {
  const {
    url,
    key,
    flows: references,
    initial,
    // oxlint-disable-next-line no-console -- a misspelt name would go unnoticed otherwise
    onError = console.error,
    WebSocket = (page as PageWithGlobals).WebSocket,
    storage = attempt(() => (page as PageWithGlobals).localStorage),
  } = options;
  const end = new AbortController();
  const { signal } = end;
  const [createLoop, wake] = createLoops(signal, onError);
  const [call, userQuery, getKey, forgetToken, languageQuery] = createCalls(options);
  if (!references?.length) throw new WaymarkError('flows is missing: name those of this page');
  const [flows, find, show, showPush, isWaiting, reportMissing, pending, listeners] =
    createFlowStates(references, initial, onError);
  const [read, getOrder, stopReader] = createReader(
    createLoop,
    call,
    signal,
    flows,
    find,
    show,
    isWaiting,
    reportMissing,
    initial?.order,
  );
  const [startLive, isLive] = createLive(
    createLoop,
    signal,
    url,
    userQuery + languageQuery,
    WebSocket,
    getKey,
    forgetToken,
    flows,
    (flow, changed) => void (showPush(flow, changed) && read()),
    onError,
  );
  const [add, send] = createQueue(
    createLoop,
    call,
    storage,
    `waymark ${url} ${key} ${userQuery} `,
    (command) => {
      pending.add(command);
      show(find(command.path).known);
      // A push is on its way, unless there are none.
      if (command.revision !== undefined)
        setTimeout(() => pending.has(command) && read(), isLive() ? PUSH_PATIENCE : 0);
    },
    read,
    onError,
  );

  const getStore = createStores(
    find,
    pending,
    listeners,
    reportMissing,
    (path) => {
      void start();
      return add(path);
    },
    start,
  );
  let poll: ReturnType<typeof setInterval>;
  let ready: Promise<void> | undefined;

  function start(): Promise<void> {
    if (!ready && !signal.aborted) {
      ready = read();
      void ready.then(startLive);
      if (initial) ready = Promise.resolve();
      send();
      poll = setInterval(() => isLive() || read(), POLL);
      // A page that was asleep or offline may have missed anything.
      for (const event of ['online', 'pageshow', 'visibilitychange'])
        page.addEventListener?.(event, () => page.document?.hidden || refresh(), { signal });
    }
    return ready!;
  }
  const refresh = (): Promise<void> => {
    void start();
    wake();
    return read();
  };

  if (page.document) void start();
  return {
    get ready() {
      return start();
    },
    get flows() {
      return getOrder() as FlowName[];
    },
    get live() {
      return isLive();
    },
    report: onError,
    refresh,
    close() {
      end.abort();
      clearTimeout(poll);
      stopReader();
      wake();
    },
    flow: getStore as never,
    block: getStore as never,
  };
}
