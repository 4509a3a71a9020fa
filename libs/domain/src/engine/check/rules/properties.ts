import {
  type AskedProperty,
  ExpressionSyntaxError,
  parseExpression,
  askedProperties,
} from '../../../targeting/index.js';
import type { Field, FlowDraft, Insertion } from '../../definition/definition.js';
import { insertionsIn } from '../../definition/insertions.js';
import { placedBlocks } from '../problems/places.js';
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
  const asked: Asked[] = conditionsOf(draft).flatMap(({ source, place }) =>
    askedBy(source).map((property) => ({ ...property, place })),
  );
  return [...asked, ...shownBy(draft)].flatMap(({ root, name, place, at }) => {
    const { names, lookedAt } = properties[root];
    if (lookedAt === 0 || names.has(name)) return [];
    const nobody =
      lookedAt === 1
        ? `the one ${root} looked at has no`
        : `none of the ${lookedAt.toLocaleString('en-US')} ${root}s looked at has a`;
    const message = `${nobody} property ${JSON.stringify(name)}${suggest[root](name)}`;
    return [{ ...warning('expression.unknown-property', place, message), ...(at && { at }) }];
  });
};

type Asked = Pick<AskedProperty, 'root' | 'name'> & Pick<Problem, 'place' | 'at'>;

/** Texts show properties of their user too (Z5). */
const shownBy = (draft: FlowDraft): Asked[] =>
  placedInsertions(draft).flatMap(({ path: [name], place }) =>
    typeof name === 'string' ? [{ root: 'user' as const, name, place }] : [],
  );

/** Without verified users, whoever holds a page's key may read texts as any user, and what they show of that user (Z5, U6). */
export const checkPersonalTexts: Rule = ({ draft, known: { unverified = [] } }) => {
  const [first] = placedInsertions(draft);
  if (!first || unverified.length === 0) return [];
  const where = `${unverified.length === 1 ? 'environment' : 'environments'} ${unverified.join(', ')}`;
  const message = `texts show properties of users, and whoever holds a page's key of the ${where} may read them as any user; \`waymark env verify\` closes that`;
  return [warning('text.unverified', first.place, message)];
};

type Placed = Insertion & { readonly place: Problem['place'] };

function placedInsertions(draft: FlowDraft): Placed[] {
  const own = placedBlocks(draft).flatMap(({ block, place }) =>
    insertionsOf(block.fields, [...place, 'fields']),
  );
  const translated = (draft.languages ?? []).flatMap(({ language, blocks }) =>
    blocks.flatMap(({ id, fields }) => insertionsOf(fields, ['languages', language, id])),
  );
  return [...own, ...translated];
}

const insertionsOf = (fields: readonly Field[], place: Problem['place']): Placed[] =>
  fields.flatMap((field) =>
    insertionsIn(field).map((insertion) => ({ ...insertion, place: [...place, field.sid] })),
  );

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
