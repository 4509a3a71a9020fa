import type { Role } from './person.js';

/** What a page has to know of the person who is signed in. */
export interface Me {
  access: 'token' | 'oidc';
  /** Null without a session. */
  person: { name: string } | null;
  role: Role | null;
  readOnly: boolean;
}
