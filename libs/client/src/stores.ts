import { type Acts, createActs } from './acts.js';
import { viewBlock } from './view-block.js';
import { attempt, type WaymarkError } from './error.js';
import { leftBy, type Shown } from './shown.js';
import type { BlockView, FlowView, Store } from './view.js';
import type { WireBlock } from './wire.js';

type View = BlockView | FlowView;
interface Kept extends Store<View> {
  /** As `get`. */
  known(): View;
  /** Something of its flow may be another. */
  tell(): void;
}

/** The store of a flow or block, one however many ask for it (C2); and all there are, by name. */
export function createStores(
  find: (name: string) => Shown,
  run: (name: string, verb: string, query: string) => Promise<boolean>,
  /** Somebody wants to know. */
  onListen: () => void,
  /** A name that is not there. */
  onMissing: (name: string) => void,
  onError: (error: WaymarkError) => void,
) {
  const stores = new Map<string, Kept>();

  /** As it is, or as a server knew it. */
  function build(name: string, acts: Acts, as: 'known' | 'initial'): View {
    const shown = find(name);
    const { sid, revision, state, blocks } = shown[as];
    const see = (block: WireBlock) => getStore(block.sid)[as]() as BlockView;
    const block = blocks.find((one) => one.sid === name);
    const isBlock = name.includes('.');
    if (!sid || (isBlock && !block && revision >= 0)) onMissing(name);
    return Object.freeze({
      ...(isBlock
        ? viewBlock(name, block, as === 'known' ? leftBy(shown, name) : [], blocks, see)
        : { ...state, blocks: blocks.map(see) }),
      ...Object.fromEntries(acts.filter(([act]) => !block || act === 'transition' || act in block.transitioned)),
    }) as unknown as View;
  }

  function createStore(name: string): Kept {
    const listeners = new Set<(view: View) => void>();
    const acts = createActs(name, run);
    let seen: number | undefined;
    let text: string | undefined;
    let view: View;
    let told: View;
    let first: View | undefined;
    const known = (): View => {
      if (seen !== (seen = find(name).turn)) {
        const now = build(name, acts, 'known');
        if (text !== (text = JSON.stringify(now))) view = now;
      }
      return view;
    };
    const store: Kept = {
      get: known,
      known,
      initial: () => (first ??= build(name, acts, 'initial')),
      subscribe(listener) {
        onListen();
        // The same one may listen twice.
        const hear = (view: View) => listener(view);
        listeners.add(hear);
        hear((told = known()));
        return () => void listeners.delete(hear);
      },
      tell() {
        if (told !== (told = known())) for (const hear of [...listeners]) attempt(() => hear(told), onError);
      },
    };
    stores.set(name, store);
    return store;
  }
  const getStore = (name: string): Kept => stores.get(name) ?? createStore(name);
  return [getStore, stores] as const;
}
