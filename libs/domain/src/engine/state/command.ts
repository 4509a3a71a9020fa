import type { Json } from '../../targeting/index.js';
import type { Intent, Uid } from '../definition/definition.js';

/** What a user answered with a transition: kept in its event, never in a state (Z3). */
export type Answer = { readonly [key: string]: Json };

/** What can be asked of a state by a client, the operator or a trigger. */
export type Command =
  | { readonly kind: 'start' | 'reset'; readonly force: boolean }
  | { readonly kind: 'stop' | 'finish' }
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
): Exclude<Command, { kind: 'transition' }> =>
  intent === 'start' || intent === 'reset' ? { kind: intent, force } : { kind: intent };
