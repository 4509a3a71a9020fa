import type { KeyObject } from 'node:crypto';
import type { SigningAlgorithm } from '../signers/public-key.js';

/** A signer whose tokens are taken now. */
export interface CurrentSigner {
  /** Another one after it was removed and added again. */
  readonly id: string;
  readonly environmentId: string;
  readonly name: string;
  readonly key: KeyObject;
  readonly algorithm: SigningAlgorithm;
}
