import type { Json } from '../../targeting/json/json.js';
import {
  type Context,
  Duration,
  evaluateCondition,
  type Expression,
  inGroup,
  Moment,
  trace,
  type Trace,
  type Value,
} from '../../targeting/index.js';
import type { ExplainedCondition, ExplainedPart } from './explanation.js';

const LONGEST_VALUE = 80;

/**
 * A condition with what each of its parts comes to for one user; without `hasValues` only what it
 * comes to itself.
 */
export function explainCondition(
  condition: Expression,
  context: Context,
  hasValues = true,
): ExplainedCondition {
  const whole = trace(condition, context);
  const parts = whole.kind === 'path' ? [whole] : whole.parts;
  return {
    source: condition.source.trim(),
    value: evaluateCondition(condition, context),
    ...(condition.mentionsGroup && {
      group: inGroup(condition, context).group?.identifier ?? null,
    }),
    parts: hasValues ? explainParts(parts) : [],
  };
}

/**
 * Sentences about the parts that make the condition what it is: `user.properties.plan == "pro" is
 * false: …`; without `hasValues` only which hold.
 */
export function describeCondition(
  condition: Expression,
  context: Context,
  hasValues = true,
): string[] {
  const parts = conditionsIn(trace(condition, context));
  return parts.map((part) => (hasValues ? describePart(part) : describeTruth(part)));
}

/**
 * Which group `group` stands for, and why that one (S33); nothing for a condition that does not
 * look at it.
 */
export function describeGroup(condition: Expression, context: Context): string[] {
  if (!condition.mentionsGroup) return [];
  const { group, groups = [] } = context;
  const meant = inGroup(condition, context).group?.identifier;
  if (group) return [`group is ${meant}, which is the one that is named`];
  if (groups.length === 0) return ['group is missing: none is named, and the user belongs to none'];
  if (groups.length === 1) return [`group is ${meant}, the only one that the user belongs to`];
  if (evaluateCondition(condition, context))
    return [`group is ${meant}, the first of ${groups.length} for which it holds`];
  return [`group is ${meant}, the first of ${groups.length}: it holds for none of them`];
}

const explainParts = (parts: readonly Trace[]): ExplainedPart[] =>
  parts.filter(({ kind }) => kind !== 'literal').map(explainPart);

function explainPart({ source, value, isMissing, parts }: Trace): ExplainedPart {
  return {
    source,
    value: toJson(value),
    ...(isMissing && { missing: true }),
    parts: explainParts(parts),
  };
}

/** What AND, OR and NOT join: each can be explained by itself. */
function conditionsIn(part: Trace): Trace[] {
  return ['and', 'or', 'not'].includes(part.kind) ? part.parts.flatMap(conditionsIn) : [part];
}

const describeTruth = ({ source, kind, value }: Trace): string =>
  `${source} ${kind === 'path' ? 'counts as' : 'is'} ${value ? 'true' : 'false'}`;

function describePart(part: Trace): string {
  const holds = part.value ? 'true' : 'false';
  if (part.kind === 'path')
    return `${part.source} is ${describeValue(part)}, which counts as ${holds}`;
  const operands = part.parts.filter(({ kind }) => kind !== 'literal');
  const missing = operands.flatMap(missingIn);
  const details = [
    ...operands.map((operand) => `${operand.source} is ${describeValue(operand)}`),
    ...missing.map((source) => `${source} is missing`),
  ];
  return `${part.source} is ${holds}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
}

/** Missing values inside an operand, which the operand itself does not show. */
const missingIn = ({ parts }: Trace): string[] =>
  parts.flatMap((part) => (part.isMissing ? [part.source] : missingIn(part)));

function describeValue({ value, isMissing }: Trace): string {
  if (isMissing) return 'missing';
  const text =
    value instanceof Moment || value instanceof Duration
      ? String(toJson(value))
      : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function toJson(value: Value): Json {
  if (value instanceof Duration) return describeDuration(value.milliseconds);
  return value instanceof Moment ? describeMoment(value.milliseconds) : value;
}

/** JavaScript writes no dates beyond some 270,000 years. */
function describeMoment(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? `${milliseconds} ms since 1970` : date.toISOString();
}

const UNITS = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
] as const;

function describeDuration(milliseconds: number): string {
  const [size, unit] = UNITS.find(([size]) => Math.abs(milliseconds) >= size) ?? [1_000, 'seconds'];
  return `${Math.round((milliseconds / size) * 100) / 100} ${unit}`;
}
