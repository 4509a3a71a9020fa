import { ExpressionSyntaxError, parseDate, parseExpression } from '../../../targeting/index.js';
import type { FlowDraft, Target } from '../../definition/definition.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

/** Targeting, goals and branches have the conditions that they need, and each can be read (S4, S29). */
export const checkConditions: Rule = ({ draft }) => [
  ...checkTargeting(draft.target),
  ...checkDates(draft),
  ...checkGoal(draft),
  ...draft.blocks.flatMap((block) => {
    if (block.type !== 'branch') return [];
    const place = ['blocks', block.id, 'when'];
    if (!block.when?.trim())
      return [
        error(
          'branch.without-condition',
          place,
          `branch ${block.id} needs a condition: when: <expression>`,
        ),
      ];
    return checkExpression(block.when, place);
  }),
];

/** Dates that exist, each before the one that it has to be before (Z8). */
function checkDates({ target, end }: FlowDraft): Problem[] {
  const dates: [string, Problem['place'], string | undefined][] = [
    ['from', ['target', 'from'], target.from],
    ['until', ['target', 'until'], target.until],
    ['end', ['end'], end],
  ];
  const written = dates.flatMap(([name, place, date]) =>
    date === undefined ? [] : [{ name, place, date, moment: parseDate(date) }],
  );
  const unread = written
    .filter(({ moment }) => moment === null)
    .map(({ name, place, date }) =>
      error(
        'date.unknown',
        place,
        `${name} is a date such as 2026-12-24 or 2026-12-24T18:00+01:00, in UTC without a zone, not ${JSON.stringify(date)}`,
      ),
    );
  const from = written.find(({ name }) => name === 'from')?.moment ?? null;
  const late = written
    .filter(
      ({ name, moment }) => name !== 'from' && moment !== null && from !== null && moment <= from,
    )
    .map(({ name, place }) =>
      error(
        'date.too-early',
        place,
        `${name} is not after from, so nobody would enter by themselves`,
      ),
    );
  const idle: Problem[] =
    target.users === 'api-only'
      ? written
          .filter(({ name }) => name !== 'end')
          .map(({ name, place }) =>
            error(
              'target.superfluous-date',
              place,
              `"${name}" is for users who enter by themselves, and with users: api-only nobody does`,
            ),
          )
      : [];
  return [...unread, ...late, ...idle];
}

function checkGoal({ goal }: FlowDraft): Problem[] {
  if (goal === undefined) return [];
  if (goal.trim()) return checkExpression(goal, ['goal']);
  const message = 'goal is a condition, such as user.properties.activated, or left out';
  return [error('goal.without-condition', ['goal'], message)];
}

function checkTargeting(target: Target): Problem[] {
  const place = ['target', 'when'];
  if (target.users !== 'matching') {
    if (!('when' in target)) return [];
    return [
      error(
        'target.superfluous-condition',
        place,
        `"when" is for users: matching only, not for users: ${target.users}`,
      ),
    ];
  }
  if (!target.when?.trim())
    return [
      error(
        'target.without-condition',
        place,
        'users: matching needs a condition: when: <expression>',
      ),
    ];
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
