import type { Environment, KeyView, SignerView } from '@waymark/domain/access';
import type { JsonRow } from '../work/json-row.js';

/**
 * An environment, what user tokens do in it, and whether `latest` is only what is released there
 * (Z10).
 */
export type EnvironmentLine = Pick<Environment, 'name' | 'verification' | 'releasesByPin'>;

/** The key itself is in it if it is public. */
export type KeyLine = JsonRow<KeyView>;

export type SignerLine = JsonRow<SignerView>;

/** A new signer, with its private key for this once; null where the pair is its owner's. */
export interface MadeSigner {
  privateKey: string | null;
}

/**
 * Flows whose texts show properties of users to anybody with a page's key; none where users are
 * verified (Z5, U6).
 */
export interface OpenTexts {
  readonly flows: readonly string[];
}
