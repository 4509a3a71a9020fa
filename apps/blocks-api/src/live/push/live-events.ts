import type { BlockView, FlowView } from '@waymark/domain/states';

/** What the server sends: the payload of each event, by its name. */
export interface ServerEvents {
  /** On every connect and reconnect (L2). */
  ready: () => void;
  /** Whole blocks by uid: all of them in a snapshot (L4), the changed ones in a push (L5). */
  blocks: (blocks: Record<string, BlockView>) => void;
  /** A Flow without its blocks, always after `blocks` (L4, L5). */
  flow: (flow: FlowView) => void;
  /**
   * What was wrong with a watch, or why watching ended; never followed by a disconnect of the
   * namespace (L3).
   */
  error: (text: string) => void;
  /** What this socket watches, as a text that socket.io-client gives back when it returns (L7). */
  watching: (watches: string) => void;
}

/** What clients may ask for. */
export const CLIENT_EVENTS = ['watch:flow', 'watch:block'] as const;
export type ClientEvent = (typeof CLIENT_EVENTS)[number];

/** Nothing of the payload can be taken for granted. */
export type ClientEvents = Record<ClientEvent, (...payload: unknown[]) => void>;
