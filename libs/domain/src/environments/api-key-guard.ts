import type { KeyKind } from './api-key.js';
import type { Caller } from './caller.js';
import type { KeyRing } from './key-ring.js';

/**
 * Decides what an `x-api-key` opens (W1). It knows nothing of HTTP: the hook of the services and the handshake of sockets
 * call it alike.
 */
export class ApiKeyGuard {
  constructor(private readonly keys: KeyRing) {}

  /** The caller where it is known already, without waiting; undefined says nothing yet, `authenticate` decides. */
  find(credential: string | undefined, kind: KeyKind): Caller | undefined {
    return this.keys.find(credential, kind);
  }

  /** The caller of a good key of that kind. Throws `key.refused`, or `database.unavailable` as `KeyRing` does. */
  authenticate(credential: string | undefined, kind: KeyKind): Promise<Caller> {
    return this.keys.authenticate(credential, kind);
  }

  /** Whether what this caller came with would be let in again. */
  isOpen({ keyId }: Caller): boolean {
    return this.keys.isOpen(keyId);
  }
}
