import type { TokenProblem, UserToken } from './user-token.js';

/** What a request is about, as far as a token has a say in it. */
export interface RequestedAccess {
  readonly user: string;
  readonly group?: string;
  /** Whether `force=true` was asked for. */
  readonly force?: boolean;
}

const OTHER_USER: TokenProblem = {
  outcome: 'other_user',
  reason: 'its claim "sub" is another user than the one that is asked for',
};
const GROUP: TokenProblem = { outcome: 'forbidden', reason: 'its claim "groups" does not name the group that is asked for' };
const FORCE: TokenProblem = { outcome: 'forbidden', reason: 'force=true needs its claim "force" to be true' };

/** Whether the token is one for this request: first its user, then its groups, then force (V6). */
export function findClaimProblem(token: UserToken, { user, group, force }: RequestedAccess): TokenProblem | undefined {
  if (token.user !== user) return OTHER_USER;
  if (group !== undefined && !token.groups.includes(group)) return GROUP;
  return force && !token.mayForce ? FORCE : undefined;
}
