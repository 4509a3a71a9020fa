import type { add } from './functions.js';
import type { Pattern } from './patterns.js';
import type { Value } from '../values/value.js';

export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What a path may begin with, and what it finds there (S29). */
export const ROOTS = ['user', 'group'] as const;
export const SUBJECT_NAMES = ['identifier', 'properties', 'createdAt', 'updatedAt'] as const;
/** What is known of what a user did, as in `user.events["Invited"].count` (Z2). */
export const EVENT_MEMBERS = ['count', 'first', 'last'] as const;

/**
 * Which part of the source a node is read from: the first character, and the one behind the last.
 */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * One node of a parsed expression. Chains are lists, so that depth grows with parentheses alone.
 */
export type Node = Shape & { readonly range: Range };

type Shape =
  | { readonly kind: 'literal'; readonly value: Value }
  | {
      readonly kind: 'path';
      readonly root: (typeof ROOTS)[number];
      readonly name: (typeof SUBJECT_NAMES)[number];
      /** A text steps into an object, a number into a list. */
      readonly steps: readonly (string | number)[];
    }
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly member: (typeof EVENT_MEMBERS)[number];
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }
  /** Stands for the text of that segment, and is only there before it is put in its place (Z6). */
  | { readonly kind: 'segment'; readonly name: string }
  | { readonly kind: 'matches'; readonly text: Node; readonly pattern: Pattern }
  | { readonly kind: 'not'; readonly operand: Node }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Node[] }
  | {
      readonly kind: 'comparison';
      readonly operator: Comparison;
      readonly left: Node;
      readonly right: Node;
    }
  | {
      readonly kind: 'sum';
      readonly first: Node;
      readonly rest: readonly {
        readonly sign: Parameters<typeof add>[1];
        readonly operand: Node;
      }[];
    };

/** A condition or value that has been read and checked once; evaluate it as often as needed. */
export interface Expression {
  readonly source: string;
  readonly root: Node;
  /** Whether it looks at `group` anywhere: only then are groups read (S33). */
  readonly mentionsGroup: boolean;
  /** Whether it looks at `now()`, so that time alone may change what it says. */
  readonly mentionsNow: boolean;
  /** Names of the events of `user.events` that it looks at: only these are read (Z2). */
  readonly events: readonly string[];
  /** Names of the segments that it mentions; none where their texts have replaced them (Z6). */
  readonly segments: readonly string[];
}

/** The texts that an expression compares with, as they are meant: escapes are read. */
export const textsOf = ({ root }: Pick<Expression, 'root'>): string[] => textsIn(root);

const textsIn = (node: Node): string[] =>
  node.kind === 'literal' && typeof node.value === 'string'
    ? [node.value]
    : operandsOf(node).flatMap(textsIn);

/** The parts that a node is made of. */
export function operandsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'path':
    case 'event':
    case 'segment':
      return [];
    case 'call':
      return node.args;
    case 'matches':
      return [node.text];
    case 'not':
      return [node.operand];
    case 'and':
    case 'or':
      return node.operands;
    case 'comparison':
      return [node.left, node.right];
    case 'sum':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
  }
}
