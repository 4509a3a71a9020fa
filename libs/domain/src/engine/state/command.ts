import type { Json } from '../../targeting/index.js';
import type { Intent, Uid } from '../definition/definition.js';

/** What a user answered with a transition: kept in its event, never in a state (Z3). */
export type Answer = { readonly [key: string]: Json };

/** Commands that a client, the operator or a trigger runs on a state. */
export type Command =
  | { readonly kind: 'start' | 'reset'; readonly force: boolean }
  | { readonly kind: 'stop' | 'finish' }
  /** The time of a delay is over, if it is; by the worker alone (Z4). */
  | { readonly kind: 'continue'; readonly block: Uid }
  /** `names` are valid names of the block, see `checkNames` (S13). */
  | {
      readonly kind: 'transition';
      readonly block: Uid;
      readonly names: readonly string[];
      readonly data?: Answer;
    };

/** An intent as a command; `force` is for those that ask targeting. */
export const commandFor = (
  intent: Intent,
  force: boolean,
): Exclude<Command, { kind: 'transition' | 'continue' }> =>
  intent === 'start' || intent === 'reset' ? { kind: intent, force } : { kind: intent };
