import type { Role } from './person.js';

/** What a page needs to know about the person who is signed in. */
export interface Me {
  access: 'token' | 'oidc';
  /** Null without a session. */
  person: { name: string } | null;
  role: Role | null;
  readOnly: boolean;
}
