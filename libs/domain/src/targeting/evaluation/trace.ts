import type { Context } from './context.js';
import { evaluateNode, inGroup } from './evaluate.js';
import { type Expression, type Node, operandsOf } from '../language/expression.js';
import { isObject, type Value } from '../values/value.js';

/** The value of one part of an expression, and of the parts that it is made of. */
export interface Trace {
  readonly kind: Node['kind'];
  /** As it is written. */
  readonly source: string;
  readonly value: Value;
  /**
   * Whether it is a value of the user or group that is not there (S31); one that is null is there.
   */
  readonly isMissing: boolean;
  /**
   * Every operand and argument, also those that evaluation need not look at; none for literals and
   * paths.
   */
  readonly parts: readonly Trace[];
}

/**
 * What every part of an expression comes to, for explaining it: `value` is what `evaluate` gives.
 * Never throws (S31).
 */
export function trace(expression: Expression, context: Context): Trace {
  return traceNode(expression.root, expression.source, inGroup(expression, context));
}

function traceNode(node: Node, source: string, context: Context): Trace {
  const { kind, range } = node;
  const value = evaluateNode(node, context);
  return {
    kind,
    source: source.slice(range.start, range.end).trim(),
    value,
    isMissing:
      value === null &&
      (node.kind === 'event' || (node.kind === 'path' && !isThere(node, context))),
    parts: operandsOf(node).map((operand) => traceNode(operand, source, context)),
  };
}

/** Whether a path that comes to null leads to a stored null. */
function isThere(node: Extract<Node, { kind: 'path' }>, context: Context): boolean {
  const last = node.steps.at(-1);
  if (last === undefined) return false;
  const holder = evaluateNode({ ...node, steps: node.steps.slice(0, -1) }, context);
  if (Array.isArray(holder)) return typeof last === 'number' && last < holder.length;
  return isObject(holder) && typeof last === 'string' && Object.hasOwn(holder, last);
}
