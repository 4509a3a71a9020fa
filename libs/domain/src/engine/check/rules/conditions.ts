import { ExpressionSyntaxError, parseExpression } from '../../../targeting/index.js';
import type { Target } from '../../definition/definition.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

/** Targeting and branches have the conditions that they need, and each can be read (S4, S29). */
export const checkConditions: Rule = ({ draft }) => [
  ...checkTargeting(draft.target),
  ...draft.blocks.flatMap((block) => {
    if (block.type !== 'branch') return [];
    const place = ['blocks', block.id, 'when'];
    if (!block.when?.trim())
      return [error('branch.without-condition', place, `branch ${block.id} needs a condition: when: <expression>`)];
    return checkExpression(block.when, place);
  }),
];

function checkTargeting(target: Target): Problem[] {
  const place = ['target', 'when'];
  if (target.users !== 'matching') {
    if (!('when' in target)) return [];
    return [error('target.superfluous-condition', place, `"when" is for users: matching only, not for users: ${target.users}`)];
  }
  if (!target.when?.trim())
    return [error('target.without-condition', place, 'users: matching needs a condition: when: <expression>')];
  return checkExpression(target.when, place);
}

function checkExpression(source: string, place: Problem['place']): Problem[] {
  try {
    parseExpression(source);
    return [];
  } catch (refusal) {
    if (!(refusal instanceof ExpressionSyntaxError)) throw refusal;
    const { message, line, column } = refusal;
    return [{ ...error('expression.syntax', place, message), at: { line, column } }];
  }
}
