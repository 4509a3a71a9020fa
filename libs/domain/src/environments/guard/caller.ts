import type { UserToken } from '../user-tokens/user-token.js';

/** Whom a request or a socket speaks for, as its key says: everything of the environment that the service offers. */
export interface Caller {
  readonly environmentId: string;
  readonly keyId: string;
  /** False for a blocks key that pages carry: whoever opens the page can read it. */
  readonly isSecret: boolean;
  /** The token behind the key; absent where none is looked at, or where a bad one is only counted (V5). */
  readonly token?: UserToken;
}
