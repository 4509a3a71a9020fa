import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useSyncExternalStore,
} from 'react';
import type {
  BlockName,
  BlockViewOf,
  FlowName,
  FlowViewOf,
  OneOf,
  Store,
  Waymark,
} from '../index.js';

const Context = createContext<Waymark | undefined>(undefined);

/** Hands the client to everything below it. */
export const WaymarkProvider = ({
  client,
  children,
}: {
  readonly client: Waymark;
  readonly children?: ReactNode;
}): ReactNode => createElement(Context.Provider, { value: client }, children);

/** The client. Throws outside of a `WaymarkProvider`. */
export function useClient(): Waymark {
  const client = useContext(Context);
  if (!client) throw new Error('there is no WaymarkProvider above');
  return client;
}

/** The flow by its name, `onboarding`; the component is rendered again when it changes. */
export const useFlow = <Name extends string>(name: OneOf<FlowName, Name>): FlowViewOf<Name> =>
  useStore(useClient().flow<Name>(name));

/**
 * The block or item by its name, `onboarding.welcome`; the component is rendered again when it
 * changes.
 */
export const useBlock = <Name extends string>(name: OneOf<BlockName, Name>): BlockViewOf<Name> =>
  useStore(useClient().block<Name>(name));

/**
 * The first rendering in a browser shows what the server rendered, even if the state has changed
 * since.
 */
const useStore = <View>(store: Store<View>): View =>
  useSyncExternalStore(store.subscribe, store.get, store.initial);
