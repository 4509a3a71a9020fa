import { type Expression, type Node, operandsOf } from './expression.js';

/** Names of the properties of the user that expressions look at; null where one looks at all of them together. */
export function mentionedProperties(expressions: readonly Expression[]): ReadonlySet<string> | null {
  const names = expressions.flatMap(({ root }) => namesIn(root));
  return names.includes(ALL) ? null : new Set(names as string[]);
}

const ALL = Symbol('all');

function namesIn(node: Node): (string | typeof ALL)[] {
  if (node.kind !== 'path') return operandsOf(node).flatMap(namesIn);
  if (node.root !== 'user' || node.name !== 'properties') return [];
  const [name] = node.steps;
  // Properties are an object, so that a number finds nothing in it.
  return typeof name === 'number' ? [] : [name ?? ALL];
}
