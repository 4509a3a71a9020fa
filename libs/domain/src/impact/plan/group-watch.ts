import type { Context } from '../../engine/index.js';

/** A context that knows whether anybody has looked at the group. */
export class GroupWatch implements Context {
  isUsed = false;
  readonly now: number;
  readonly user: Context['user'];

  constructor(private readonly base: Context) {
    this.now = base.now;
    this.user = base.user;
  }

  get group(): Context['group'] {
    this.isUsed = true;
    return this.base.group;
  }
}
