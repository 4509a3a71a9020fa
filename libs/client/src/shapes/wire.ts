/** A block as the service sends it (B6). */
export interface WireBlock {
  readonly type: string;
  readonly uid: string;
  /** `<flow>.<block>`. */
  readonly sid: string;
  readonly state: { readonly active: boolean; readonly entered: boolean; readonly exited: boolean };
  /** Every transition the block has, true once taken. */
  readonly transitioned: Readonly<Record<string, boolean>>;
  readonly fields: readonly { readonly sid: string; readonly value: unknown }[];
  /** On items only. */
  readonly containerUid?: string;
}

/**
 * Which rule of its group keeps a flow from starting by itself, and for how many seconds, where
 * time alone helps (Q5).
 */
export interface Wait {
  readonly group: string;
  readonly rule: 'at-once' | 'limit' | 'pause';
  readonly until?: string;
  readonly seconds?: number;
}

/** A flow as the service sends it (B5, B14). */
export interface WireFlow {
  readonly sid: string;
  readonly version: number;
  /** Of the texts, where the flow has several. */
  readonly language?: string;
  readonly state: {
    readonly started: boolean;
    readonly stopped: boolean;
    readonly finished: boolean;
  };
  readonly revision: number;
  readonly waits?: Wait;
  /** In the order of the definition, a container before its items. */
  readonly blocks?: readonly WireBlock[];
}

/** What `readFlows` gives and `initial` takes: plain JSON (B13). */
export interface FlowsAnswer {
  readonly flows: readonly WireFlow[];
  /** What was requested and does not exist. */
  readonly unknown: readonly string[];
  /** The names in the order to show them, where it differs from the requested one. */
  readonly order?: readonly string[];
}

/** A number, `latest` or `uncommitted`. */
export type Version = number | string;
