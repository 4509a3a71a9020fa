import { attempt, WaymarkError } from './requests/error.js';
import type { BlockName, FlowName, FlowReference, OneOf } from './shapes/flows.js';
import { POLL, PUSH_PATIENCE, WAITING_SECONDS } from './requests/limits.js';
import { createLoops } from './requests/loop.js';
import { createQueue, type Pending } from './commands/queue.js';
import { loadFlows } from './requests/read-flows.js';
import { type Access, createCalls } from './requests/request.js';
import { createShown, type Known, type Shown } from './views/shown.js';
import { createLive, type LiveSocketClass } from './socket.js';
import type { CommandStorage } from './commands/storage.js';
import { createStores } from './views/stores.js';
import type { BlockViewOf, FlowViewOf, Store } from './shapes/view.js';
import type { FlowsAnswer } from './shapes/wire.js';

export interface WaymarkOptions extends Access {
  /** The flows of this page, such as `['onboarding@3']`. They are read, which starts them for a user who qualifies. */
  readonly flows: readonly FlowReference[];
  /** Where commands wait until they are answered: `localStorage` in browsers, otherwise (`null`) memory. */
  readonly storage?: CommandStorage | null | undefined;
  /** The class where it is not global. Without one (`null`) flows are read every 30 seconds and after each command. */
  readonly WebSocket?: LiveSocketClass | null | undefined;
  /** Called with whatever went wrong, rejected commands too; without it the console is. */
  readonly onError?: ((error: WaymarkError) => void) | undefined;
  /** What `readFlows` gave on a server: shown at once. */
  readonly initial?: FlowsAnswer | undefined;
}

/** Waymark for one user, made once for a page. */
export interface Waymark {
  /** Resolves once there is data, at once with `initial`. Never rejects: failures are retried, and passed to `onError`. */
  readonly ready: Promise<void>;
  /** The names of the flows, without versions, in the order to show them. */
  readonly flows: readonly FlowName[];
  /** Whether changes arrive by themselves: the socket is open. */
  readonly live: boolean;
  /** Hands what went wrong elsewhere, such as in what draws the blocks, to `onError`. */
  report(error: WaymarkError): void;
  /** Reads the flows again; whatever waits tries again at once. */
  refresh(): Promise<void>;
  /** Ends everything, as when the user signs out; commands that wait are kept for the next page. */
  close(): void;
  /** A flow by its name, `onboarding`: the same store each time. */
  flow<Name extends string>(name: OneOf<FlowName, Name>): Store<FlowViewOf<Name>>;
  /** A block or an item by its name, `onboarding.welcome`: the same store each time. */
  block<Name extends string>(name: OneOf<BlockName, Name>): Store<BlockViewOf<Name>>;
}

interface Page {
  localStorage?: CommandStorage;
  WebSocket?: LiveSocketClass;
  document?: { hidden: boolean };
  addEventListener?: (
    event: string,
    listener: () => void,
    options: { signal: AbortSignal },
  ) => void;
}
const page = globalThis as Page;

/**
 * Shows flows and blocks as they are, and sends what users do, of which nothing is lost: commands are kept until they are
 * answered, over reloads and offline time. Outside of browsers it sends nothing before the first subscription, wait or action.
 * Throws a WaymarkError at once without a user or flows, and for a secret key in a page.
 * @example
 * const waymark = createWaymark({ url, key, user: me.id, flows: ['onboarding@3'] });
 * waymark.block('onboarding.welcome').subscribe(({ active, fields, complete }) => { … });
 */
export function createWaymark(options: WaymarkOptions): Waymark {
  const {
    url,
    key,
    initial,
    // eslint-disable-next-line no-console -- a misspelt name would go unnoticed otherwise
    onError = console.error,
    WebSocket = page.WebSocket,
    storage = attempt(() => page.localStorage),
  } = options;
  const end = new AbortController();
  const { signal } = end;
  const [createLoop, wake] = createLoops(signal, onError);
  const [call, whom, getKey, forgetToken, inLanguage] = createCalls(options);
  if (!options.flows?.length) throw new WaymarkError('flows is missing: name those of this page');
  const flows = options.flows.map((reference) => createShown(reference, initial));
  let order: readonly string[] = flows.map(({ known }) => known.sid);
  const nobody = createShown('');
  /** Commands whose effect the service has not shown yet (C4). */
  const pending = new Set<Pending>();
  const listeners = new Set<() => void>();
  const missed = new Set<string>();
  const waiting: (() => void)[] = [];
  let poll: ReturnType<typeof setInterval>;
  let later: ReturnType<typeof setTimeout>;
  let ready: Promise<void> | undefined;

  /** By its own name, that of a block, or the path of a command. */
  const find = (name: string): Shown =>
    flows.find((flow) => flow.known.sid === name.split(/[./]/)[0]) ?? nobody;
  const miss = (name: string): void => {
    if (!missed.has(name))
      setTimeout(() =>
        onError(new WaymarkError(`${name} is not in these flows`, { code: 'not_found_error' })),
      );
    missed.add(name);
  };

  const getWaits = () => flows.flatMap(({ known }) => known.waits ?? []);
  const getStore = createStores(
    find,
    pending,
    listeners,
    (name, verb, query) => {
      void start();
      return add(`${name}/${verb}?version=${find(name).known.version}${query}`);
    },
    start,
    miss,
  );
  /** Takes in what the service said, and lets every store look again. */
  const show = (known: Known): void => {
    find(known.sid).known = { ...known };
    // Commands end when what they led to is shown (B14).
    for (const command of pending)
      if (command.revision! <= find(command.path).known.revision) pending.delete(command);
    for (const hear of listeners) attempt(hear, onError);
  };
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
    clearTimeout(later);
    // By durations alone, since clocks of devices are wrong; another device may free a place before.
    if (!signal.aborted)
      later = setTimeout(
        () => getWaits()[0] && !page.document?.hidden && read(),
        Math.min(WAITING_SECONDS, ...getWaits().map(({ seconds = WAITING_SECONDS }) => seconds)) *
          1000,
      );
    answer.unknown.forEach(miss);
    for (const resolve of waiting.splice(0, count)) resolve();
  }
  const [runReader] = createLoop(() => waiting[0] && readOnce());
  /** Begins now, or after the one under way: what was committed before the call is in it. Never rejects. */
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      runReader();
    });

  const [startLive, isLive] = createLive(
    createLoop,
    signal,
    url,
    whom + inLanguage,
    WebSocket,
    getKey,
    forgetToken,
    flows,
    (wire, changed) => {
      const { version, revision, waits, blocks } = find(wire.sid).known;
      const { started, stopped, finished } = wire.state;
      const isNew = wire.revision > revision;
      // The state may have been deleted since, and the version that is being edited may have other blocks now.
      if (wire.revision < revision || !version) void read();
      else {
        show({
          // Pushes say nothing of it.
          ...(!isNew && { waits }),
          ...wire,
          blocks: blocks.map((block) => changed[block.uid] ?? block),
        });
        // It leaves its place to one that waits.
        if (isNew && (!started || stopped || finished) && getWaits()[0]) void read();
      }
    },
    onError,
  );

  const [add, send] = createQueue(
    createLoop,
    call,
    storage,
    `waymark ${url} ${key} ${whom} `,
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
      return order as FlowName[];
    },
    get live() {
      return isLive();
    },
    report: onError,
    refresh,
    close() {
      end.abort();
      clearTimeout(poll);
      clearTimeout(later);
      wake();
    },
    flow: getStore as never,
    block: getStore as never,
  };
}
