import { type Expression, type Node, operandsOf, type ROOTS } from '../language/expression.js';

/** A property that an expression reads, and where it does; lines and columns count from 1. */
export interface PropertyMention {
  readonly root: (typeof ROOTS)[number];
  readonly name: string;
  readonly at: { readonly line: number; readonly column: number };
}

/**
 * Every property of the user or the group that an expression looks at, by its name in `properties`,
 * as often as it does.
 */
export function propertyMentions({ root, source }: Expression): PropertyMention[] {
  return nodesOf(root, 'path').flatMap(({ root: owner, name, steps, range }) => {
    const [first] = steps;
    return name === 'properties' && typeof first === 'string'
      ? [{ root: owner, name: first, at: placeOf(source, range.start) }]
      : [];
  });
}

/** Every event of `user.events` that an expression looks at, by its name (Z2). */
export const eventMentions = ({
  root,
  source,
}: Expression): Pick<PropertyMention, 'name' | 'at'>[] =>
  nodesOf(root, 'event').map(({ name, range }) => ({ name, at: placeOf(source, range.start) }));

/**
 * Names of the properties of the user that expressions look at; null where one looks at all of them
 * together, or at more than properties.
 */
export function mentionedProperties(
  expressions: readonly Expression[],
): ReadonlySet<string> | null {
  if (expressions.some(({ events }) => events.length > 0)) return null;
  const names = new Set<string>();
  for (const { root, name, steps } of expressions.flatMap((expression) =>
    nodesOf(expression.root, 'path'),
  )) {
    if (root !== 'user' || name !== 'properties') continue;
    const [first] = steps;
    if (first === undefined) return null;
    // Properties are an object, so that a number finds nothing in it.
    if (typeof first === 'string') names.add(first);
  }
  return names;
}

/** With a list of what is still to look at: parentheses may nest deep. */
function nodesOf<Kind extends Node['kind']>(
  root: Node,
  kind: Kind,
): Extract<Node, { kind: Kind }>[] {
  const found: Extract<Node, { kind: Kind }>[] = [];
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === kind) found.push(node as Extract<Node, { kind: Kind }>);
    pending.push(...operandsOf(node).toReversed());
  }
  return found;
}

function placeOf(source: string, index: number): PropertyMention['at'] {
  const lines = source.slice(0, index).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
