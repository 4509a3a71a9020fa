import {
  eventMentions,
  propertyMentions,
  type PropertyMention,
  type Expression,
  ExpressionSyntaxError,
  parseExpression,
  type SegmentTexts,
} from '../../../targeting/index.js';
import type { Field, FlowDraft, Insertion } from '../../definition/definition.js';
import { insertionsIn } from '../../definition/insertions.js';
import { donePlace, placedBlocks } from '../problems/places.js';
import type { Known, Rule } from './checked-draft.js';
import { type Problem, warning } from '../problems/problem.js';
import { suggestFrom } from '../problems/suggest.js';

/**
 * Conditions use properties that some user has, as far as is known: a misspelt one is never there,
 * and no error (S31).
 */
export const checkProperties: Rule = ({ draft, known }) =>
  warnOfProperties([...propertiesIn(conditionsOf(draft)), ...shownBy(draft)], known);

/** Conditions name events that were tracked at least once, for the same reason (Z2). */
export const checkEvents: Rule = ({ draft, known }) => warnOfEvents(conditionsOf(draft), known);

/** The same of segments, whose names are the places of the warnings (Z6). */
export function checkSegments(segments: SegmentTexts, known: Known): Problem[] {
  const conditions = Object.entries(segments).map(([name, source]) => ({ source, place: [name] }));
  return [...warnOfProperties(propertiesIn(conditions), known), ...warnOfEvents(conditions, known)];
}

const propertiesIn = (conditions: readonly Condition[]): Mentioned[] =>
  conditions.flatMap(({ source, place }) =>
    read(source, propertyMentions).map((property) => ({ ...property, place })),
  );

function warnOfProperties(mentioned: readonly Mentioned[], { properties }: Known): Problem[] {
  if (!properties) return [];
  const suggest = {
    user: suggestFrom(properties.user.names),
    group: suggestFrom(properties.group.names),
  };
  return mentioned.flatMap(({ root, name, place, at }) => {
    const { names, lookedAt } = properties[root];
    if (lookedAt === 0 || names.has(name)) return [];
    const nobody =
      lookedAt === 1
        ? `the one ${root} looked at has no`
        : `none of the ${lookedAt.toLocaleString('en-US')} ${root}s looked at has a`;
    const message = `${nobody} property ${JSON.stringify(name)}${suggest[root](name)}`;
    return [{ ...warning('expression.unknown-property', place, message), ...(at && { at }) }];
  });
}

function warnOfEvents(conditions: readonly Condition[], { events }: Known): Problem[] {
  if (!events || events.lookedAt === 0) return [];
  const suggest = suggestFrom(events.names);
  const mentioned = conditions.flatMap(({ source, place }) =>
    read(source, eventMentions).map((event) => ({ ...event, place })),
  );
  return mentioned.flatMap(({ name, place, at }) => {
    if (events.names.has(name)) return [];
    const nobody =
      events.lookedAt === 1
        ? 'the one user looked at never did'
        : `none of the ${events.lookedAt.toLocaleString('en-US')} users looked at ever did`;
    const message = `${nobody} ${JSON.stringify(name)}${suggest(name)}`;
    return [{ ...warning('expression.unknown-event', place, message), at }];
  });
}

interface Condition {
  readonly source: string;
  readonly place: Problem['place'];
}

type Mentioned = Pick<PropertyMention, 'root' | 'name'> & Pick<Problem, 'place' | 'at'>;

/** Texts show properties of their user too (Z5). */
const shownBy = (draft: FlowDraft): Mentioned[] =>
  placedInsertions(draft).flatMap(({ path: [name], place }) =>
    typeof name === 'string' ? [{ root: 'user' as const, name, place }] : [],
  );

/**
 * Without verified users, anybody with a page's key may read texts as any user, and what they show
 * of that user (Z5, U6).
 */
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

/** The text of every condition, with its place. */
export function conditionsOf({
  target,
  goal,
  blocks,
}: Pick<FlowDraft, 'target' | 'goal' | 'blocks'>): Condition[] {
  const targeting =
    target.users === 'matching' ? [{ source: target.when, place: ['target', 'when'] }] : [];
  const goals = goal === undefined ? [] : [{ source: goal, place: ['goal'] }];
  const ofBlocks = placedBlocks({ blocks }).flatMap(({ block, place }) => {
    if (block.type === 'branch') return [{ source: block.when, place: [...place, 'when'] }];
    if (!('done' in block) || !block.done) return [];
    return [{ source: block.done.when, place: donePlace({ block, place }, 'when') }];
  });
  return [...targeting, ...goals, ...ofBlocks];
}

/** What a condition looks at; one that cannot be read is reported elsewhere. */
function read<Found>(source: string | undefined, ask: (condition: Expression) => Found[]): Found[] {
  try {
    return ask(parseExpression(source ?? '', 'any'));
  } catch (refusal) {
    if (refusal instanceof ExpressionSyntaxError) return [];
    throw refusal;
  }
}
