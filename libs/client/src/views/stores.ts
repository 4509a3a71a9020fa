import type { Pending } from '../commands/queue.js';
import { type FindFlow, type Known, leftBy } from './flow-states.js';
import type { BlockView, FlowView, Store } from '../shapes/view.js';
import type { WireBlock } from '../shapes/wire.js';
import { toQuery } from '../requests/request.js';

type View = BlockView | FlowView;

/**
 * What can be done with a flow or block: functions that may be handed on, whatever they are called
 * with.
 */
type Acts = readonly (readonly [name: string, act: (...given: never[]) => Promise<boolean>])[];

/** Gives the store of a flow or block, one however many ask for it (C2). */
export function createStores(
  find: FindFlow,
  /** Commands whose effect the service has not shown yet (C4). */
  pending: ReadonlySet<Pending>,
  /** Called whenever something is shown differently. */
  listeners: Set<() => void>,
  reportMissing: (name: string) => void,
  /** Sends a command by its path. */
  send: (path: string) => Promise<boolean>,
  /** Called on a subscription. */
  onListen: () => void,
) {
  const stores = new Map<string, Store<View>>();

  /** The view as it is, or as a server knew it, and the same for its items. */
  function build(
    name: string,
    acts: Acts,
    { sid, version, revision, state, language, waits, blocks }: Known,
    as: 'get' | 'initial',
    pending: Iterable<Pending>,
  ): View {
    const viewOf = (block: WireBlock) => getStore(block.sid)[as]() as BlockView;
    const block = blocks.find((one) => one.sid === name);
    const isBlock = name.includes('.');
    if (!sid || (isBlock && !block && revision >= 0)) reportMissing(name);
    return Object.freeze({
      ...(isBlock
        ? viewBlock(
            name,
            block,
            leftBy(pending, name, version),
            blocks.filter(({ containerUid }) => block && containerUid === block.uid).map(viewOf),
          )
        : { name, ...state, language, waits, blocks: blocks.map(viewOf) }),
      ...Object.fromEntries(
        acts.filter(([act]) => !block || act === 'transition' || act in block.transitioned),
      ),
    }) as unknown as View;
  }

  function createStore(name: string): Store<View> {
    const flow = find(name);
    const acts = createActs(name, (verb, query) =>
      send(`${name}/${verb}?version=${flow.known.version}${query}`),
    );
    let seen: Known | undefined;
    let text: string | undefined;
    let view: View;
    let first: View | undefined;
    const get = (): View => {
      if (seen !== (seen = flow.known)) {
        const now = build(name, acts, seen, 'get', pending);
        if (text !== (text = JSON.stringify(now))) view = now;
      }
      return view;
    };
    const store: Store<View> = {
      get,
      initial: () => (first ??= build(name, acts, flow.initial, 'initial', [])),
      subscribe(listener) {
        onListen();
        let notified: View | undefined;
        const notify = () => {
          if (notified !== (notified = get())) listener(notified);
        };
        listeners.add(notify);
        notify();
        return () => void listeners.delete(notify);
      },
    };
    stores.set(name, store);
    return store;
  }
  const getStore = (name: string): Store<View> => stores.get(name) ?? createStore(name);
  return getStore;
}

/**
 * What is shown of a block, beside what can be done with it. One that is left by a command under
 * way is shown as left (C4).
 */
function viewBlock(
  name: string,
  block: WireBlock | undefined,
  leftBy: readonly string[],
  items: readonly BlockView[],
) {
  const { type, state, transitioned, fields = [] } = block ?? {};
  const taken = state?.active ? leftBy.map((one) => [one, true]) : [];
  return {
    name,
    type,
    active: false,
    entered: false,
    exited: false,
    ...state,
    ...(taken[0] && { active: false, exited: true }),
    transitioned: { ...transitioned, ...Object.fromEntries(taken) },
    fields: Object.fromEntries(fields.map(({ sid, value }) => [sid, value])),
    items,
  };
}

function createActs(name: string, run: (verb: string, query: string) => Promise<boolean>): Acts {
  /** Names, then an answer; an event of the page where a button was handed it. */
  const transition = (...given: (string | { data?: unknown } | undefined)[]) => {
    const { data } = Object(given.at(-1)) as { data?: unknown };
    const names = given.filter((one) => typeof one === 'string');
    const answer = data ? `&${toQuery('data', [JSON.stringify({ data })])}` : '';
    return run('transition', `&${toQuery('transitions', names)}${answer}`);
  };
  return name.includes('.')
    ? [
        ['transition', transition],
        ...['complete', 'dismiss', 'next', 'previous', 'skip'].map(
          (one) => [one, (given?: object) => transition(one, given)] as const,
        ),
      ]
    : ['start', 'reset', 'stop', 'finish'].map((verb) => [
        verb,
        (options?: { force?: boolean }) => run(verb, options?.force ? '&force=true' : ''),
      ]);
}
