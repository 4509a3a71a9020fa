import type { Expression } from '../../targeting/index.js';
import type {
  ContainerType,
  ExposedType,
  Field,
  FlowDefinition,
  ItemType,
  SplitSubject,
  Uid,
  Way,
} from './definition.js';
import type { Effect } from './effect.js';
import type { InsertedProperty } from './insertions.js';

/** A path with its ends resolved; `order` is its place in the definition (S12). */
export interface CompiledPath {
  readonly order: number;
  readonly from: Uid | 'start';
  readonly to: CompiledBlock | 'finish';
}

interface Node {
  readonly uid: Uid;
  readonly id: string;
  /** Place in the definition, a container before its items. */
  readonly order: number;
}

interface Exposed extends Node {
  readonly fields: readonly Field[];
  /** Valid transition names in order (S3). */
  readonly names: readonly string[];
}

interface WithPaths {
  /**
   * Paths by the names they carry, each list in the order of the definition; names without a path
   * are absent.
   */
  readonly paths: ReadonlyMap<string, readonly CompiledPath[]>;
}

export interface CompiledPlain extends Exposed, WithPaths {
  readonly kind: 'plain';
  readonly type: Exclude<ExposedType, ContainerType | ItemType>;
}
export interface CompiledContainer extends Exposed, WithPaths {
  readonly kind: 'container';
  readonly type: ContainerType;
  readonly items: readonly CompiledItem[];
}
export interface CompiledItem extends Exposed {
  readonly kind: 'item';
  readonly type: ItemType;
  readonly container: CompiledContainer;
  readonly containerUid: Uid;
  /** Index among the items of its container. */
  readonly position: number;
}
/** A block that clients see (S2, B6). */
export type ExposedBlock = CompiledPlain | CompiledContainer | CompiledItem;

export interface CompiledBranch extends Node, WithPaths {
  readonly kind: 'branch';
  readonly condition: Expression;
}
export interface CompiledSplit extends Node, WithPaths {
  readonly kind: 'split';
  readonly by: SplitSubject;
  readonly ways: readonly Way[];
}
export interface CompiledGate extends Node, WithPaths {
  readonly kind: 'gate';
  /**
   * What has to arrive before the gate passes: its sources, but for those that nothing reaches
   * (S16).
   */
  readonly inputs: ReadonlySet<Uid | 'start'>;
}
/** Goes on by itself once its time is over (Z4). */
export interface CompiledDelay extends Node, WithPaths {
  readonly kind: 'delay';
  /** Milliseconds. */
  readonly for: number;
}
/** A webhook or flow trigger (S19). */
export interface CompiledEffect extends Node, WithPaths {
  readonly kind: 'effect';
  readonly effect: Effect;
}
/** What makes a block take a name by itself (Z1). */
export interface CompiledDone {
  readonly block: CompiledPlain | CompiledItem;
  readonly when: Expression;
  readonly take: string;
}
/** A block that acts by itself (S2). */
export type LogicBlock =
  CompiledBranch | CompiledSplit | CompiledGate | CompiledDelay | CompiledEffect;

export type CompiledBlock = ExposedBlock | LogicBlock;

/**
 * A definition made ready for stepping: everything resolved, so that a step costs what it touches
 * and no more.
 */
export interface CompiledFlow {
  readonly definition: FlowDefinition;
  /**
   * Whether all users, none, or those for whom a condition holds start the flow by reading it (S7).
   */
  readonly target: 'all' | 'api-only' | Expression;
  /**
   * Milliseconds since 1970: users enter by themselves from `from` and before `until`, nothing goes
   * on from `end` (Z8).
   */
  readonly from: number;
  readonly until: number;
  readonly end: number;
  /** In the order of the definition. */
  readonly start: readonly CompiledPath[];
  /** Blocks and items. */
  readonly byUid: ReadonlyMap<Uid, CompiledBlock>;
  readonly byIdentifier: ReadonlyMap<string, CompiledBlock>;
  /** In the order of the definition, a container before its items (B8). */
  readonly exposed: readonly ExposedBlock[];
  readonly hasBranch: boolean;
  /** Whether the ids of user and group decide about ways (K1). */
  readonly hasSplit: boolean;
  /** Whether one of its conditions looks at `group` (S33). */
  readonly mentionsGroup: boolean;
  /**
   * What of a user its texts show; none of most flows, whose reads look at no properties for it
   * (Z5).
   */
  readonly inserted: readonly InsertedProperty[];
  /** Blocks and items that say `done`, in the order of the definition (Z1). */
  readonly done: readonly CompiledDone[];
  /** Names of the events of `user.events` that they look at (Z2). */
  readonly events: readonly string[];
}

/** Blocks that clients see, in the order of the definition, a container before its items (B8). */
export function exposedBlocks(flow: CompiledFlow): readonly ExposedBlock[] {
  return flow.exposed;
}
