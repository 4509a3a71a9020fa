import type { Json } from '../json/json.js';
import { equal, order } from '../values/compare.js';
import type { Context, Subject } from './context.js';
import type { Comparison, Expression, Node } from '../language/expression.js';
import { add, FUNCTIONS } from '../language/functions.js';
import { isObject, Moment, type Value } from '../values/value.js';

/**
 * Whether the condition holds for this user, group and time; without a named group, for one of the
 * user's groups (S33). Never throws; what is impossible is false (S31).
 */
export function evaluateCondition(expression: Expression, context: Context): boolean {
  return holds(expression.root, inGroup(expression, context));
}

/** The value of an expression. Never throws; what is missing or impossible is null (S31). */
export function evaluate(expression: Expression, context: Context): Value {
  return valueOf(expression.root, inGroup(expression, context));
}

/**
 * The context with the one group that `group` stands for throughout the expression: the named one,
 * else the first of the user's groups for which it holds, or their first where it holds for none
 * (S33).
 */
export function inGroup({ root, mentionsGroup }: Expression, context: Context): Context {
  if (!mentionsGroup) return context;
  const { group, groups = [] } = context;
  if (group || groups.length === 0) return context;
  const tries = groups.map((one): Context => ({ ...context, group: one }));
  return tries.find((one) => holds(root, one)) ?? tries[0]!;
}

/** The value of one part of an expression, for `trace`. */
export const evaluateNode = (node: Node, context: Context): Value => valueOf(node, context);

/** Truthiness as in JavaScript; lists, objects, dates and durations hold, even empty ones (S29). */
function holds(node: Node, context: Context): boolean {
  return Boolean(valueOf(node, context));
}

function valueOf(node: Node, context: Context): Value {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'path':
      return walk(node, context);
    case 'event':
      return readEvent(node, context.user);
    case 'segment':
      return null;
    case 'call':
      return call(node, context);
    case 'matches':
      return matches(node, context);
    case 'not':
      return !holds(node.operand, context);
    case 'and':
      return node.operands.every((operand) => holds(operand, context));
    case 'or':
      return node.operands.some((operand) => holds(operand, context));
    case 'comparison':
      return compare(valueOf(node.left, context), node.operator, valueOf(node.right, context));
    case 'sum':
      return node.rest.reduce(
        (sum, { sign, operand }) => add(sum, sign, valueOf(operand, context)),
        valueOf(node.first, context),
      );
  }
}

function walk({ root, name, steps }: Extract<Node, { kind: 'path' }>, context: Context): Value {
  const subject = context[root];
  return subject === null ? null : steps.reduce(stepInto, read(subject, name));
}

function readEvent(
  { name, member }: Extract<Node, { kind: 'event' }>,
  { events = {} }: Subject,
): Value {
  const known = Object.hasOwn(events, name) ? events[name]! : null;
  if (member === 'count') return known?.count ?? 0;
  return known && new Moment(known[member]);
}

function read(subject: Subject, name: Exclude<keyof Subject, 'events'>): Value {
  const value = subject[name];
  return typeof value === 'number' ? new Moment(value) : value;
}

/**
 * Own keys only, so that `constructor` or `length` are found nowhere unless the data has them
 * (S29).
 */
function stepInto(value: Value, step: string | number): Value {
  const inside: Json | undefined =
    typeof step === 'number' ? itemAt(value, step) : ownProperty(value, step);
  return inside ?? null;
}

function itemAt(value: Value, index: number): Json | undefined {
  return Array.isArray(value) ? value[index] : undefined;
}

function ownProperty(value: Value, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function call({ name, args }: Extract<Node, { kind: 'call' }>, context: Context): Value {
  const values = args.map((arg) => valueOf(arg, context));
  return FUNCTIONS.get(name)?.apply(context.now, ...values) ?? null;
}

function matches({ text, pattern }: Extract<Node, { kind: 'matches' }>, context: Context): boolean {
  const value = valueOf(text, context);
  return typeof value === 'string' && pattern.test(value);
}

/**
 * Every operator has its line: one that is added to the grammar does not compile until it has one
 * too.
 */
function compare(left: Value, operator: Comparison, right: Value): boolean {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case '<':
      return isOrdered(left, right, (sorted) => sorted < 0);
    case '<=':
      return isOrdered(left, right, (sorted) => sorted <= 0);
    case '>':
      return isOrdered(left, right, (sorted) => sorted > 0);
    case '>=':
      return isOrdered(left, right, (sorted) => sorted >= 0);
  }
}

/** False for what has no order (S31). */
function isOrdered(left: Value, right: Value, test: (sorted: number) => boolean): boolean {
  const sorted = order(left, right);
  return sorted !== null && test(sorted);
}
