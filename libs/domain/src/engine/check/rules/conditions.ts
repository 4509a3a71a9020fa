import {
  ExpressionSyntaxError,
  parseDate,
  parseExpression,
  type SegmentTexts,
} from '../../../targeting/index.js';
import type { FlowDraft, Target } from '../../definition/definition.js';
import { transitionNames } from '../../definition/names.js';
import { donePlace, type PlacedBlock, placedBlocks } from '../problems/places.js';
import { error, type Problem } from '../problems/problem.js';
import { didYouMean } from '../problems/suggest.js';
import type { Rule } from './checked-draft.js';

/**
 * Targeting, goals, branches and what is done by itself have the conditions that they need, and
 * each can be read (S4, S29).
 */
export const checkConditions: Rule = ({ draft, known: { segments } }) => [
  ...checkTargeting(draft.target, segments),
  ...checkDates(draft),
  ...checkGoal(draft, segments),
  ...placedBlocks(draft).flatMap((one) => checkDone(one, segments)),
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
    return checkExpression(block.when, place, segments);
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

/** A condition, and a name that the block has (Z1). */
function checkDone({ block, place }: PlacedBlock, segments: Segments): Problem[] {
  if (!('done' in block) || !block.done) return [];
  const { when, take } = block.done;
  const condition = donePlace({ block, place }, 'when');
  if (!when.trim())
    return [
      error(
        'done.without-condition',
        condition,
        `done of ${block.id} is a condition, such as user.properties.invited, or left out`,
      ),
    ];
  const names = transitionNames(block);
  const wrong = names.includes(take)
    ? []
    : [
        error(
          'done.unknown-name',
          donePlace({ block, place }, 'take'),
          describeTake(block.id, take, names),
        ),
      ];
  return [...wrong, ...checkExpression(when, condition, segments)];
}

function describeTake(id: string, take: string, names: readonly string[]): string {
  const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  return `done takes a name of ${id}, and ${JSON.stringify(take)} is none; ${has}${didYouMean(take, names)}`;
}

function checkGoal({ goal }: FlowDraft, segments: Segments): Problem[] {
  if (goal === undefined) return [];
  if (goal.trim()) return checkExpression(goal, ['goal'], segments);
  const message = 'goal is a condition, such as user.properties.activated, or left out';
  return [error('goal.without-condition', ['goal'], message)];
}

function checkTargeting(target: Target, segments: Segments): Problem[] {
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
  return checkExpression(target.when, place, segments);
}

/** Names of segments are looked up where these are known (Z6). */
type Segments = SegmentTexts | undefined;

function checkExpression(source: string, place: Problem['place'], segments: Segments): Problem[] {
  try {
    parseExpression(source, segments ?? 'any');
    return [];
  } catch (refusal) {
    if (!(refusal instanceof ExpressionSyntaxError)) throw refusal;
    const { message, line, column } = refusal;
    return [{ ...error('expression.syntax', place, message), at: { line, column } }];
  }
}
