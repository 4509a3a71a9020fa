import { createPublicKey } from 'node:crypto';
import type { VerificationMode } from '../environment/environment.js';
import { algorithmOf } from '../signers/public-key.js';
import type { CurrentSigner } from './user-token.js';

export interface EnvironmentRow {
  environment_id: string;
  environment: string;
  verification: VerificationMode;
}
export interface SignerRow {
  id: string;
  environment_id: string;
  name: string;
  public_key: string;
}

/** What the guard knows about an environment. */
export interface RingEnvironment {
  readonly id: string;
  readonly name: string;
  readonly verification: VerificationMode;
  /** By name, the `kid` of their tokens. */
  readonly signers: ReadonlyMap<string, CurrentSigner>;
}

export const ringEnvironment = (
  row: EnvironmentRow,
  signersOf: SignersByEnvironment,
): RingEnvironment => ({
  id: row.environment_id,
  name: row.environment,
  verification: row.verification,
  signers: signersOf.get(row.environment_id) ?? NO_SIGNERS,
});

type SignersByEnvironment = ReadonlyMap<string, ReadonlyMap<string, CurrentSigner>>;
const NO_SIGNERS: ReadonlyMap<string, CurrentSigner> = new Map();

/** Signers by id, so that a key is read once and not at each refresh. */
export class SignerKeys {
  private byId = new Map<string, CurrentSigner>();

  /** The signers of each environment. */
  update(rows: readonly SignerRow[]): SignersByEnvironment {
    const signers = rows.flatMap((row) => this.byId.get(row.id) ?? readSigner(row));
    this.byId = new Map(signers.map((signer) => [signer.id, signer]));
    const byEnvironment = new Map<string, Map<string, CurrentSigner>>();
    for (const signer of signers) {
      const named = byEnvironment.get(signer.environmentId) ?? new Map<string, CurrentSigner>();
      byEnvironment.set(signer.environmentId, named.set(signer.name, signer));
    }
    return byEnvironment;
  }
}

/**
 * Null for a row that was written by hand and holds no key: the other signers have to keep working.
 */
function readSigner({ id, environment_id, name, public_key }: SignerRow): [CurrentSigner] | [] {
  try {
    const key = createPublicKey(public_key);
    return [{ id, environmentId: environment_id, name, key, algorithm: algorithmOf(key) }];
  } catch {
    return [];
  }
}
