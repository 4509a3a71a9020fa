import type { Context, FlowDefinition } from '@waymark/domain/engine';
import { evaluateCondition, parseExpression } from '@waymark/domain/targeting';

/**
 * Without a named group, the user's groups are tried one after the other, each for the whole
 * condition (S33).
 */
export function holds(
  when: string,
  { segments = {} }: FlowDefinition,
  { now, user, group, groups = [] }: Context,
): boolean {
  const condition = parseExpression(inFull(when, segments));
  const tried = group || groups.length === 0 ? [group] : groups;
  return tried.some((one) => evaluateCondition(condition, { now, user, group: one }));
}

/** Each segment is its text, as the flow keeps it (Z6). */
function inFull(when: string, segments: NonNullable<FlowDefinition['segments']>): string {
  const expanded = when.replace(
    /segment\("([^"]+)"\)/,
    (_, name: string) => `(${segments[name] ?? 'of no such name'})`,
  );
  return expanded === when ? when : inFull(expanded, segments);
}

/** S7, Z8 */
export function qualifies(definition: FlowDefinition, context: Context): boolean {
  const { target } = definition;
  if (target.from !== undefined && context.now < timeOf(target.from)) return false;
  if (target.until !== undefined && context.now >= timeOf(target.until)) return false;
  if (target.users === 'all') return true;
  return target.users === 'matching' && holds(target.when, definition, context);
}

/** Z8 */
export const isPastEnd = ({ end }: FlowDefinition, { now }: Context): boolean =>
  end !== undefined && now >= timeOf(end);

/** A date alone is its midnight; without a zone a date is UTC, wherever this runs (Z8). */
function timeOf(date: string): number {
  const [, hasTime, zone] = /^[\d-]+(?:([T ])[\d:.]+(Z|[+-][\d:]+)?)?$/.exec(date) ?? [];
  return new Date(hasTime && !zone ? `${date}Z` : date).getTime();
}
