import { buildBlock, buildFlow } from './build-view.js';
import { createActs } from './acts.js';
import type { Query } from './request.js';
import { leftBy, NOTHING_YET, type Shown } from './shown.js';
import type { BlockView, FlowView, Store } from './view.js';

type View = BlockView | FlowView;
interface Kept extends Store<View> {
  /** Something of its flow may be another. */
  tell(): void;
}

/** The store of a flow or block, one however many ask for it (C2); and all there are, by name. */
export function createStores(
  find: (sid: string) => Shown | undefined,
  run: (sid: string, verb: string, query: Query) => Promise<boolean>,
  /** Somebody wants to know. */
  onListen: () => void,
  /** A name that is not there. */
  onMissing: (name: string) => void,
  /** A listener threw. */
  onFault: (fault: unknown) => void,
) {
  const stores = new Map<string, Kept>();

  /** As it is, or as a server knew it. */
  function build(name: string, acts: object, isFirst: boolean): View {
    const shown = find(name);
    const { version, state, blocks } = (isFirst ? shown?.initial : shown?.known) ?? NOTHING_YET;
    const see = ({ sid }: { sid: string }) => getStore(sid)[isFirst ? 'initial' : 'get']() as BlockView;
    const block = blocks.get(name);
    const isBlock = name.includes('.');
    if (!shown || (isBlock && !block && version >= 0)) onMissing(name);
    const all = [...blocks.values()];
    if (!isBlock) return buildFlow(state, all.map(see), acts);
    const items = block ? all.filter(({ containerUid }) => containerUid === block.uid).map(see) : [];
    return buildBlock(name, block, isFirst || !shown ? [] : leftBy(shown, name), items, acts);
  }

  function createStore(name: string): Kept {
    const listeners = new Set<[listener: (view: View) => void]>();
    const acts = createActs(name, run);
    let seen: number | null | undefined = null;
    let text: string | undefined;
    let view: View;
    let told: View;
    let first: View | undefined;
    const get = (): View => {
      const turn = find(name)?.turn;
      if (turn === seen) return view;
      seen = turn;
      const now = build(name, acts, false);
      const before = text;
      if (before !== (text = JSON.stringify(now))) view = now;
      return view;
    };
    const store: Kept = {
      get,
      initial: () => (first ??= build(name, acts, true)),
      subscribe(listener) {
        onListen();
        const entry: [typeof listener] = [listener];
        listeners.add(entry);
        listener((told = get()));
        return () => void listeners.delete(entry);
      },
      tell() {
        if (listeners.size === 0 || told === (told = get())) return;
        for (const [listener] of [...listeners]) {
          try {
            listener(told);
          } catch (fault) {
            onFault(fault);
          }
        }
      },
    };
    stores.set(name, store);
    return store;
  }
  const getStore = (name: string): Kept => stores.get(name) ?? createStore(name);
  return [getStore, stores] as const;
}
