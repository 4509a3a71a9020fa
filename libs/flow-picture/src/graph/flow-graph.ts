import {
  type Block,
  blockState,
  type FlowDefinition,
  type FlowState,
  gateState,
  type Item,
  type Path,
  hasOnePath,
  isLogic,
} from '@waymark/domain/engine';
import { describeBlock } from './describe-block.js';

/**
 * Where a user is in a part of the flow (S5). A state tells nothing about `automatic` blocks, except for gates that wait
 * (S16).
 */
export type Standing = 'active' | 'exited' | 'entered' | 'not entered' | 'waiting' | 'finished' | 'automatic';

export interface GraphItem {
  id: string;
  title: string;
  standing?: Standing;
}

export interface GraphNode {
  /** Identifier of the block, or `start` or `finish`, which no block can be called (W7). */
  id: string;
  kind: Block['type'] | 'start' | 'finish';
  /** A few words for people: a title, a condition, an address. */
  detail: string;
  items: GraphItem[];
  standing?: Standing;
}

/** All paths from one node to another; `names` are those of all of them, in the order of the definition. */
export interface GraphEdge {
  from: string;
  to: string;
  names: string[];
  /** Of the users who reached where it begins, how many took it, from 0 to 1; absent without numbers (E14). */
  share?: number;
}

/** A flow as boxes and arrows, however it is drawn. */
export interface FlowGraph {
  flow: string;
  name: string;
  /** In words; undefined where nobody said which it is. */
  version: string | undefined;
  /** The version, who enters, and with a state how far its user has come. */
  summary: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  isColoured: boolean;
}

export interface GraphOptions {
  /** Which version of the flow the definition is. */
  version?: number;
  /** The state of a user in it. */
  state?: FlowState;
}

/** The start, every block in the order of the definition, and the finish if anything leads there. */
export function graphOf(definition: FlowDefinition, { version, state }: GraphOptions = {}): FlowGraph {
  const edges = edgesOf(definition);
  const blocks = definition.blocks.map((block) => blockNode(block, state));
  const start = endNode('start', state && (state.started ? 'exited' : 'not entered'));
  const finish = endNode('finish', state && (state.finished ? 'finished' : 'not entered'));
  return {
    flow: definition.flow,
    name: definition.name ?? definition.flow,
    version: describeVersion(version),
    summary: [describeVersion(version), describeTarget(definition), state && `this user: ${describeState(state)}`]
      .filter(Boolean)
      .join(' · '),
    nodes: [start, ...blocks, ...(edges.some(({ to }) => to === 'finish') ? [finish] : [])],
    edges,
    isColoured: state !== undefined,
  };
}

function endNode(kind: 'start' | 'finish', standing: Standing | undefined): GraphNode {
  return { id: kind, kind, detail: '', items: [], ...(standing && { standing }) };
}

function blockNode(block: Block, state: FlowState | undefined): GraphNode {
  const items = 'items' in block ? block.items.map((item) => itemOf(item, state)) : [];
  return {
    id: block.id,
    kind: block.type,
    detail: describeBlock(block),
    items,
    ...(state && { standing: standingOf(block, state) }),
  };
}

function itemOf(item: Item, state: FlowState | undefined): GraphItem {
  return { id: item.id, title: describeBlock(item), ...(state && { standing: standingOf(item, state) }) };
}

function standingOf({ uid, type }: Block | Item, state: FlowState): Standing {
  if (type === 'gate' && gateState(state, uid).length > 0) return 'waiting';
  if (isLogic(type)) return 'automatic';
  const { active, entered, exited } = blockState(state, uid);
  if (active) return 'active';
  if (exited) return 'exited';
  return entered ? 'entered' : 'not entered';
}

function describeVersion(version: number | undefined): string | undefined {
  if (version === undefined) return undefined;
  return version === 0 ? 'version 0, not committed' : `version ${version}`;
}

function describeState({ started, stopped, finished }: FlowState): string {
  if (finished) return 'finished';
  if (stopped) return 'stopped';
  return started ? 'in progress' : 'not started';
}

function describeTarget({ target }: FlowDefinition): string {
  if (target.users === 'matching') return `for users with ${target.when}`;
  return target.users === 'all' ? 'for all users' : 'entered on request only';
}

function edgesOf({ start, blocks }: FlowDefinition): GraphEdge[] {
  const fromStart = [...new Set(start)].map((to): GraphEdge => ({ from: 'start', to, names: [] }));
  return [...fromStart, ...blocks.flatMap(({ id, type, paths }) => blockEdges(id, paths, !hasOnePath(type)))];
}

function blockEdges(from: string, paths: readonly Path[], isNamed: boolean): GraphEdge[] {
  const names = new Map<string, Set<string>>();
  for (const path of paths) names.set(path.to, new Set([...(names.get(path.to) ?? []), ...path.names]));
  return [...names].map(([to, all]) => ({ from, to, names: isNamed ? [...all] : [] }));
}
