/** Who uses the studio, according to the session. */
export interface Person {
  /** As the audit log names them. */
  readonly name: string;
  /** In lower case; only where the provider has verified it, or says nothing of it (T3). */
  readonly email?: string;
  /** In lower case. */
  readonly groups?: readonly string[];
}

/** What a person may do; `nobody` is signed in, but in neither list. */
export type Role = 'editor' | 'viewer' | 'nobody';
