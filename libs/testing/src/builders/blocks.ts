import {
  type Block,
  type ContainerType,
  type Field,
  type Intent,
  type Item,
  ITEM_TYPES,
  type Path,
  type SplitSubject,
  compile,
  type CompiledFlow,
  type FlowDefinition,
  partsOf,
  type Target,
} from '@waymark/domain/engine';
import type { Json } from '@waymark/domain/targeting';

/** A block before it has a name; the builder calls it with the key that it stands under. */
export type BlockOf = (id: string) => Block;

/** One target or several; several are several paths with the same names. */
export type Targets = string | readonly string[];
/** Names (several joined by commas, as in a flow file) to targets. */
export type PathsOf = Readonly<Record<string, Targets>>;

/** The uid that builders give to the block or item of an identifier. */
export function uidOf(id: string): string {
  return `u-${id}`;
}

export function card(paths: PathsOf = {}): BlockOf {
  return (id) => ({ type: 'card', ...named(id), paths: pathsOf(paths) });
}

export function modal(paths: PathsOf = {}): BlockOf {
  return (id) => ({ type: 'modal', ...named(id), paths: pathsOf(paths) });
}

export function custom(paths: PathsOf = {}, fields: Field[] = []): BlockOf {
  const names = Object.keys(paths).flatMap((key) => key.split(','));
  const leadsNowhere = Object.values(paths).some((targets) => targets.length === 0);
  return (id) => ({
    type: 'custom',
    ...named(id),
    fields,
    paths: pathsOf(paths),
    ...(leadsNowhere && { names }),
  });
}

export function checklist(items: readonly string[], paths: PathsOf = {}): BlockOf {
  return container('checklist', items, paths);
}

export function tour(items: readonly string[], paths: PathsOf = {}): BlockOf {
  return container('tour', items, paths);
}

export function hints(items: readonly string[], paths: PathsOf = {}): BlockOf {
  return container('hints', items, paths);
}

/** Keys other than `true` and `false` are possible, for definitions that have to be refused. */
export function branch(when: string, paths: PathsOf = {}): BlockOf {
  return (id) => ({ type: 'branch', ...named(id), when, paths: pathsOf(paths) });
}

/** Shares by the names of the ways; one without a target leads nowhere. */
export function split(
  shares: Readonly<Record<string, number>>,
  paths: PathsOf = {},
  by: SplitSubject = 'user',
): BlockOf {
  const ways = Object.entries(shares).map(([name, share]) => ({ name, share }));
  return (id) => ({ type: 'split', ...named(id), by, ways, paths: pathsOf(paths) });
}

export function gate(next: Targets = []): BlockOf {
  return (id) => ({ type: 'gate', ...named(id), paths: pathsOf({ default: next }) });
}

/** Milliseconds, a minute when left out. */
export function delay(next: Targets = [], time = 60_000): BlockOf {
  return (id) => ({ type: 'delay', ...named(id), for: time, paths: pathsOf({ default: next }) });
}

export function webhook(
  next: Targets = [],
  request: { url?: string; headers?: Record<string, string>; body?: Json } = {},
): BlockOf {
  const { url = 'https://hooks.acme.test/', headers = {}, body } = request;
  return (id) => ({
    type: 'webhook',
    ...named(id),
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    ...(body !== undefined && { body }),
    paths: pathsOf({ default: next }),
  });
}

export function trigger(
  flow: string,
  intent: Intent = 'start',
  next: Targets = [],
  version: number | 'latest' = 'latest',
): BlockOf {
  return (id) => ({
    type: 'flow-trigger',
    ...named(id),
    flow,
    intent,
    version,
    paths: pathsOf({ default: next }),
  });
}

/**
 * The block, left by itself once a condition holds; of a container, the items that are named (Z1).
 */
export function doneBy(
  when: string | Readonly<Record<string, string>>,
  build: BlockOf,
  take = 'complete',
): BlockOf {
  return (id) => {
    const block = build(id);
    if (typeof when === 'string') return { ...block, done: { when, take } } as Block;
    if (!('items' in block)) throw new Error(`${id} has no items`);
    const items = block.items.map((item) => {
      const condition = when[item.id];
      return condition === undefined ? item : { ...item, done: { when: condition, take } };
    });
    return { ...block, items };
  };
}

function container(type: ContainerType, items: readonly string[], paths: PathsOf): BlockOf {
  const itemOf = (id: string): Item => ({ type: ITEM_TYPES[type], ...named(id) });
  return (id) => ({ type, ...named(id), items: items.map(itemOf), paths: pathsOf(paths) });
}

function named(id: string): { id: string; uid: string; fields: Field[] } {
  return { id, uid: uidOf(id), fields: [] };
}

function pathsOf(paths: PathsOf): Path[] {
  return Object.entries(paths).flatMap(([names, targets]) =>
    [targets].flat().map((to) => ({ names: names.split(','), to })),
  );
}

/** A flow in compact notation: what is left out has the default of a flow file. */
export interface FlowNotation {
  readonly flow?: string;
  readonly target?: Target;
  readonly goal?: string;
  /** The first block when left out. */
  readonly start?: Targets;
  readonly blocks?: Readonly<Record<string, BlockOf>>;
}

/**
 * A definition as it is stored, every uid made of the identifier by `uidOf`. Not checked, so that
 * refused definitions can be built too. Keys that look like integers come first: JavaScript orders
 * them so.
 */
export function defineFlow({
  flow = 'onboarding',
  target = { users: 'all' },
  goal,
  start,
  blocks = {},
}: FlowNotation): FlowDefinition {
  const first = Object.keys(blocks)[0] ?? 'finish';
  const built = Object.entries(blocks).map(([id, build]) => build(id));
  const isNewer = partsOf({ blocks: built }).some(
    (part) => part.type === 'delay' || part.type === 'split' || 'done' in part,
  );
  return {
    format: goal === undefined && !isNewer ? 1 : 2,
    flow,
    target,
    ...(goal !== undefined && { goal }),
    start: [start ?? first].flat(),
    blocks: built,
  };
}

/** The same, compiled. */
export function compileFlow(notation: FlowNotation): CompiledFlow {
  return compile(defineFlow(notation));
}
