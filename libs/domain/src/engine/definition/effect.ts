import type { Json } from '../../targeting/json/json.js';
import type { Intent, Uid } from './definition.js';

/** What has to happen outside, after the commit (S19). */
export type Effect =
  | {
      readonly kind: 'webhook';
      readonly block: Uid;
      readonly url: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
      readonly body?: Json;
    }
  | {
      readonly kind: 'flow-trigger';
      readonly block: Uid;
      readonly flow: string;
      readonly intent: Intent;
      readonly version: number | 'latest';
    };
