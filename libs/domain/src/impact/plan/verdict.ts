import type { Context } from '../../engine/index.js';
import { foresee, type Meeting, type MetState, type Outlook, wouldEnter } from './foresee.js';
import type { PlanRun } from './plan-run.js';

/** What happens to one user. */
export interface Verdict {
  readonly outlook: Outlook;
  readonly entry: 'enter' | 'leave' | null;
}

/** Where a user is. */
export interface UserPlace {
  /** In the highest version that they met. */
  readonly met: MetState | null;
  /** What readers of `latest` find now, where that is not the highest commit. */
  readonly found?: MetState | null;
}

/** What verdicts are about, beside the version that is met. */
type Question = Pick<PlanRun, 'present' | 'entries'>;

/** What the real engine does to a user in this context. */
export function judge(
  { entries, present }: Question,
  meeting: Meeting,
  { met, found = met }: UserPlace,
  context: Context,
): Verdict {
  const outlook = foresee(meeting, met, context);
  if (!entries) return { outlook, entry: null };
  const then = wouldEnter(meeting, met, context);
  const now = present !== null && wouldEnter(present, found, context);
  if (then === now) return { outlook, entry: null };
  return { outlook, entry: then ? 'enter' : 'leave' };
}

/** Whether it matters which of several groups the application names; a single one is meant anyway (S33). */
export function dependsOnGroup(question: Question, meeting: Meeting, place: UserPlace, context: Context): boolean {
  const { groups = [] } = context;
  const asks = meeting.compiled.mentionsGroup || (question.entries && question.present?.compiled.mentionsGroup === true);
  if (groups.length < 2 || !asks) return false;
  const verdicts = [context, ...groups.map((group) => ({ ...context, group }))].map((one) =>
    judge(question, meeting, place, one),
  );
  return new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size > 1;
}
