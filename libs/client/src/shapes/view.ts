import type { BlockName, BlocksIn, FlowName, ShapeOf } from './flows.js';
import type { Wait } from './wire.js';

/** A stretch of text, or an element with children, as the flow files define them. */
export type RichTextNode =
  | {
      readonly text: string;
      readonly bold?: boolean;
      readonly italic?: boolean;
      readonly underline?: boolean;
      readonly code?: boolean;
    }
  | {
      readonly type: string;
      readonly children: readonly RichTextNode[];
      readonly url?: string;
      readonly width?: string;
      readonly height?: string;
      readonly altText?: string;
      readonly align?: string;
    };
export type RichText = readonly RichTextNode[];

/**
 * Resolves with whether it took effect; rejects with a WaymarkError. May be handed to a button as
 * it is.
 */
export type Act = (...event: unknown[]) => Promise<boolean>;
/** What the user answered: an object of at most 4 KiB of JSON, kept with the event. */
export interface Answer {
  readonly data: { readonly [key: string]: unknown };
}
/** As `Act`, with an answer: `complete({ data: { stars: 5 } })`. */
export type Leave = (answer?: Answer | object) => Promise<boolean>;
/** As `Act`; `force` enters whatever the targeting says, where the key may do so. */
export type Enter = (options?: { readonly force?: boolean } | object) => Promise<boolean>;
type Methods = 'complete' | 'dismiss' | 'next' | 'previous' | 'skip';
type Shape = { type: string; transitions: string; fields: object; items?: string };

type Shown<Fields> =
  | {
      /** Whether to show it now. */
      readonly active: true;
      /** The values of the flow file by name; empty before there is data. */
      readonly fields: Readonly<Fields>;
    }
  | { readonly active: false; readonly fields: Readonly<Partial<Fields>> };

type ViewOf<Name extends string, Of extends Shape> = {
  /** `<flow>.<block>`. */
  readonly name: Name;
  /** Undefined before there is data. */
  readonly type: Of['type'] | undefined;
  /** Whether it was active at some time. */
  readonly entered: boolean;
  /** Whether it was left at some time, though it may be active again. */
  readonly exited: boolean;
  /** By name, true once taken; empty before there is data. */
  readonly transitioned: { readonly [Transition in Of['transitions']]?: boolean };
  /** Leaves the block by one or more of its transitions, with an answer as the last argument. */
  readonly transition: (
    ...names:
      | [Of['transitions'], ...Of['transitions'][]]
      | [Of['transitions'], ...Of['transitions'][], Answer]
  ) => Promise<boolean>;
  /** The items of a container, in order; empty for other blocks. */
  readonly items: readonly ItemsOf<Name, Of>[];
} & { readonly [Method in Methods & Of['transitions']]: Leave } & Shown<Of['fields']>;

type ItemsOf<Name extends string, Of extends Shape> = Of extends {
  items: infer Item extends string;
}
  ? Name extends `${infer Flow}.${string}`
    ? BlockView<`${Flow}.${Item}`>
    : BlockView<string>
  : never;

/** A block as a page shows it: immutable, and the same object until something changed. */
export type BlockView<Name extends string = string> = Name extends string
  ? ViewOf<Name, ShapeOf<Name>>
  : never;

/** A flow as a page shows it: immutable, and the same object until something changed. */
export interface FlowView<Name extends string = string> {
  readonly name: Name;
  readonly started: boolean;
  readonly stopped: boolean;
  readonly finished: boolean;
  /** Of the texts, such as `pt-BR`; undefined for a flow in one language only. */
  readonly language?: string;
  /**
   * Of a flow that would have started, but takes turns with others; it starts by itself once they
   * let it.
   */
  readonly waits?: Wait;
  /** In the order of the definition, a container before its items. */
  readonly blocks: readonly BlockView<BlocksIn<Name>>[];
  readonly start: Enter;
  readonly reset: Enter;
  readonly stop: Act;
  readonly finish: Act;
}

/* oxlint-disable typescript/no-explicit-any -- the error for a misspelt name would hide where it is. */
/**
 * The view of a block, or anything where there is no block of that name: the name itself does not
 * compile then.
 */
export type BlockViewOf<Name extends string> = Name extends BlockName ? BlockView<Name> : any;
export type FlowViewOf<Name extends string> = Name extends FlowName ? FlowView<Name> : any;
/* eslint-enable typescript/no-explicit-any */

/**
 * A value that changes. `subscribe` calls at once and then after every change, as Svelte's stores
 * do.
 */
export interface Store<View> {
  /** As it is now: the same object until something changed. */
  get(): View;
  /** Returns a function that stops it. */
  subscribe(listener: (view: View) => void): () => void;
  /**
   * What `initial` said: for the first rendering in a browser, which has to be the one of the
   * server.
   */
  initial(): View;
}
