import {
  type BlockState,
  compile,
  type CompiledFlow,
  type ExposedBlock,
  type FlowDefinition,
  type FlowState,
  isRunning,
  type Uid,
} from '../../engine/index.js';
import type { BlockReport } from './flow-report.js';

/** Versions that a report is about, the newest last, ready to count with. */
export interface ReportedVersions {
  readonly newest: CompiledFlow;
  /**
   * In the order of the newest version, then what only older ones have; each uid once, as its
   * newest version has it.
   */
  readonly blocks: readonly ExposedBlock[];
  readonly branches: readonly { readonly uid: string; readonly id: string }[];
  readonly delays: readonly { readonly uid: string; readonly id: string }[];
}

/** Compiles what a report is about; there has to be at least one definition. */
export function reportedVersions(definitions: readonly FlowDefinition[]): ReportedVersions {
  const compiled = definitions.map(compile).reverse();
  const all = new Map(compiled.toReversed().flatMap(({ byUid }) => [...byUid]));
  // Set again in the order from the newest on: a Map keeps the place of a key that it has, and the
  // newest block wins.
  const ordered = new Map(
    compiled.flatMap(({ byUid }) => [...byUid.keys()]).map((uid) => [uid, all.get(uid)!]),
  );
  const blocks = [...ordered.values()];
  return {
    newest: compiled[0]!,
    blocks: blocks.filter((block): block is ExposedBlock => 'names' in block),
    branches: blocks.filter(({ kind }) => kind === 'branch'),
    delays: blocks.filter(({ kind }) => kind === 'delay'),
  };
}

interface BlockCount {
  reached: number;
  now: number;
  lost: number;
  readonly names: Map<string, number>;
  readonly targets: Map<string, number>;
  /** Where each name leads. */
  readonly leads: ReadonlyMap<string, readonly string[]>;
}

/** Counts users by their states only: no events, no condition (E13). */
export class StateTally {
  users = 0;
  started = 0;
  inProgress = 0;
  finished = 0;
  stopped = 0;
  private readonly counts: ReadonlyMap<Uid, BlockCount>;
  private readonly waiting = new Map<Uid, number>();

  constructor(private readonly versions: ReportedVersions) {
    this.counts = new Map(versions.blocks.map((block) => [block.uid, newCount(block)]));
  }

  /** So many users whose states, from the oldest version to the newest, are these; at least one. */
  add(states: readonly FlowState[], users = 1): void {
    const state = states.length === 1 ? states[0]! : merge(states);
    this.users += users;
    if (state.started) this.started += users;
    if (state.finished) this.finished += users;
    if (state.stopped) this.stopped += users;
    if (isRunning(state)) this.inProgress += users;
    for (const uid in state.blocks) {
      const count = this.counts.get(uid);
      if (count) addBlock(count, state.blocks[uid]!, users);
    }
    for (const uid in state.waiting) this.waiting.set(uid, (this.waiting.get(uid) ?? 0) + users);
  }

  /** How many wait in each delay now (Z4). */
  delays(): { block: string; now: number }[] {
    return this.versions.delays.map(({ uid, id }) => ({
      block: id,
      now: this.waiting.get(uid) ?? 0,
    }));
  }

  /** What was counted of each block, without times. */
  blocks(): Omit<BlockReport, 'seconds'>[] {
    return this.versions.blocks.map((block) => {
      const { reached, now, lost, names, targets } = this.counts.get(block.uid)!;
      return {
        block: block.id,
        type: block.type,
        ...(block.kind === 'item' && { container: block.container.id }),
        reached,
        now,
        left: Object.fromEntries(names),
        paths: Object.fromEntries(targets),
        lost,
      };
    });
  }
}

function newCount(block: ExposedBlock): BlockCount {
  const paths = 'paths' in block ? [...block.paths] : [];
  const leads = new Map(
    paths.map(([name, to]) => [
      name,
      to.map((path) => (path.to === 'finish' ? 'finish' : path.to.id)),
    ]),
  );
  return {
    reached: 0,
    now: 0,
    lost: 0,
    names: new Map(block.names.map((name) => [name, 0])),
    targets: new Map([...leads.values()].flat().map((target) => [target, 0])),
    leads,
  };
}

function addBlock(
  count: BlockCount,
  { active, entered, exited, transitioned }: BlockState,
  users: number,
): void {
  if (entered) count.reached += users;
  if (active) count.now += users;
  if (entered && !active && !exited) count.lost += users;
  if (transitioned) addNames(count, transitioned, users);
}

/** Each name and each target once for a user, however many names lead there. */
function addNames(
  { names, targets, leads }: BlockCount,
  taken: readonly string[],
  users: number,
): void {
  for (const name of taken) if (names.has(name)) names.set(name, names.get(name)! + users);
  const reached =
    taken.length === 1
      ? leads.get(taken[0]!)
      : new Set(taken.flatMap((name) => leads.get(name) ?? []));
  for (const target of reached ?? []) targets.set(target, (targets.get(target) ?? 0) + users);
}

/** One user in several versions: flags and where they are from the newest, the rest from any. */
function merge(states: readonly FlowState[]): FlowState {
  const newest = states.at(-1)!;
  const blocks: Record<Uid, BlockState> = {};
  for (const uid of new Set(states.flatMap((state) => Object.keys(state.blocks)))) {
    const all = states.flatMap((state) => state.blocks[uid] ?? []);
    const transitioned = [...new Set(all.flatMap((block) => block.transitioned ?? []))];
    blocks[uid] = {
      ...(newest.blocks[uid]?.active && { active: true }),
      ...(all.some(({ entered }) => entered) && { entered: true }),
      ...(all.some(({ exited }) => exited) && { exited: true }),
      ...(transitioned.length > 0 && { transitioned }),
    };
  }
  return { ...newest, blocks };
}
