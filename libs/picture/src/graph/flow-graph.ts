import {
  type Block,
  blockState,
  describeDates,
  type FlowDefinition,
  type FlowState,
  gateState,
  type Item,
  type Path,
  hasOnePath,
  isLogic,
  waitsUntil,
} from '@waymark/domain/engine';
import { type Caption, captionOf, describeCondition } from './describe-block.js';

/**
 * Where a user is in a part of the flow (S5). A state has nothing about `automatic` blocks, except
 * for gates and delays that wait (S16, Z4).
 */
export type BlockStatus =
  'active' | 'exited' | 'entered' | 'not entered' | 'waiting' | 'finished' | 'automatic';

export interface GraphItem extends Caption {
  id: string;
  status?: BlockStatus;
}

export interface GraphNode extends Caption {
  /** Identifier of the block, or `start` or `finish`, which no block can be called (W7). */
  id: string;
  kind: Block['type'] | 'start' | 'finish';
  items: GraphItem[];
  /** How many items the picture leaves out, because the container is folded. */
  folded?: number;
  status?: BlockStatus;
}

/**
 * All paths from one node to another; `names` are those of all of them, in the order of the
 * definition.
 */
export interface GraphEdge {
  from: string;
  to: string;
  names: string[];
  /**
   * Of the users who reached where it begins, how many took it, from 0 to 1; absent without numbers
   * (E14).
   */
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
  /** Containers that are drawn without their items (T19). */
  folded?: readonly string[];
  /** The time zone of the reader; UTC if left out. */
  zone?: string;
}

/**
 * The start, every block in the order of the definition, and the finish if anything leads there.
 */
export function graphOf(definition: FlowDefinition, options: GraphOptions = {}): FlowGraph {
  const { version, state } = options;
  const edges = edgesOf(definition);
  const blocks = definition.blocks.map((block) => blockNode(block, options));
  const start = endNode('start', state && (state.started ? 'exited' : 'not entered'));
  const finish = endNode('finish', state && (state.finished ? 'finished' : 'not entered'));
  return {
    flow: definition.flow,
    name: definition.name ?? definition.flow,
    version: describeVersion(version),
    summary: [
      describeVersion(version),
      describeTarget(definition),
      state && `this user: ${describeState(state)}`,
    ]
      .filter(Boolean)
      .join(' · '),
    nodes: [start, ...blocks, ...(edges.some(({ to }) => to === 'finish') ? [finish] : [])],
    edges,
    isColoured: state !== undefined,
  };
}

function endNode(kind: 'start' | 'finish', status: BlockStatus | undefined): GraphNode {
  return { id: kind, kind, label: kind, detail: '', items: [], ...(status && { status }) };
}

function blockNode(block: Block, { state, folded = [], zone = 'UTC' }: GraphOptions): GraphNode {
  const items = 'items' in block ? block.items.map((item) => itemOf(item, state)) : [];
  const { label, detail: caption } = captionOf(block);
  const until = state && waitsUntil(state, block.uid);
  const detail = until === undefined ? caption : `${caption}, until ${describeTime(until, zone)}`;
  const isFolded = items.length > 0 && folded.includes(block.id);
  return {
    id: block.id,
    kind: block.type,
    label,
    detail: isFolded ? describeFolded(detail, items.length) : detail,
    items: isFolded ? [] : items,
    ...(isFolded && { folded: items.length }),
    ...(state && { status: statusOf(block, state) }),
  };
}

/** To the minute, such as `2026-12-01 09:30 UTC`. Swedes write dates as ISO 8601 does. */
const describeTime = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('sv', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    timeZone: zone,
    timeZoneName: 'short',
  }).format(ms);

const describeFolded = (detail: string, items: number): string =>
  [items === 1 ? '1 item' : `${items} items`, detail].filter(Boolean).join(' · ');

function itemOf(item: Item, state: FlowState | undefined): GraphItem {
  return {
    id: item.id,
    ...captionOf(item),
    ...(state && { status: statusOf(item, state) }),
  };
}

function statusOf({ uid, type }: Block | Item, state: FlowState): BlockStatus {
  if (type === 'gate' && gateState(state, uid).length > 0) return 'waiting';
  if (waitsUntil(state, uid) !== undefined) return 'waiting';
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

function describeTarget(flow: FlowDefinition): string {
  return [describeWho(flow), ...describeDates(flow)].join(', ');
}

function describeWho({ target }: FlowDefinition): string {
  if (target.users === 'matching') return `for users who match: ${describeCondition(target.when)}`;
  return target.users === 'all' ? 'for all users' : 'entered on request only';
}

function edgesOf({ start, blocks }: FlowDefinition): GraphEdge[] {
  const fromStart = [...new Set(start)].map((to): GraphEdge => ({ from: 'start', to, names: [] }));
  return [
    ...fromStart,
    ...blocks.flatMap((block) => blockEdges(block.id, shownPaths(block), !hasOnePath(block.type))),
  ];
}

/** A way of a split says how many of all people it is for (K2). */
function shownPaths(block: Block): readonly Path[] {
  if (block.type !== 'split') return block.paths;
  const all = block.ways.reduce((sum, { share }) => sum + share, 0);
  const shown = new Map(
    block.ways.map(({ name, share }) => [
      name,
      `${name} ${Math.round((share / all) * 1_000) / 10} %`,
    ]),
  );
  return block.paths.map(({ names, to }) => ({
    names: names.map((name) => shown.get(name) ?? name),
    to,
  }));
}

function blockEdges(from: string, paths: readonly Path[], isNamed: boolean): GraphEdge[] {
  const names = new Map<string, Set<string>>();
  for (const path of paths)
    names.set(path.to, new Set([...(names.get(path.to) ?? []), ...path.names]));
  return [...names].map(([to, all]) => ({ from, to, names: isNamed ? [...all] : [] }));
}
