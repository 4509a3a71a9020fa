import {
  ExpressionSyntaxError,
  parseExpression,
  askedProperties,
} from '../../../targeting/index.js';
import type { Rule } from './checked-draft.js';
import { type Problem, warning } from '../problems/problem.js';
import { suggestFrom } from '../problems/suggest.js';

/** Conditions use properties that some user has, as far as is known: a misspelt one is never there, and no error (S31). */
export const checkProperties: Rule = ({ draft, known }) => {
  if (!known.properties) return [];
  const { properties } = known;
  const suggest = {
    user: suggestFrom(properties.user.names),
    group: suggestFrom(properties.group.names),
  };
  return conditionsOf(draft).flatMap(({ source, place }) =>
    askedBy(source).flatMap(({ root, name, at }) => {
      const { names, lookedAt } = properties[root];
      if (lookedAt === 0 || names.has(name)) return [];
      const nobody =
        lookedAt === 1
          ? `the one ${root} looked at has no`
          : `none of the ${lookedAt.toLocaleString('en-US')} ${root}s looked at has a`;
      const message = `${nobody} property ${JSON.stringify(name)}${suggest[root](name)}`;
      return [{ ...warning('expression.unknown-property', place, message), at }];
    }),
  );
};

function conditionsOf({
  target,
  goal,
  blocks,
}: Parameters<Rule>[0]['draft']): { source: string; place: Problem['place'] }[] {
  const targeting =
    target.users === 'matching' ? [{ source: target.when, place: ['target', 'when'] }] : [];
  const goals = goal === undefined ? [] : [{ source: goal, place: ['goal'] }];
  const branches = blocks.flatMap((block) =>
    block.type === 'branch' ? [{ source: block.when, place: ['blocks', block.id, 'when'] }] : [],
  );
  return [...targeting, ...goals, ...branches];
}

/** One that cannot be read is reported elsewhere. */
function askedBy(source: string | undefined): ReturnType<typeof askedProperties> {
  try {
    return askedProperties(parseExpression(source ?? ''));
  } catch (refusal) {
    if (refusal instanceof ExpressionSyntaxError) return [];
    throw refusal;
  }
}
