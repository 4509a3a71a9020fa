import type { Database } from '../../database/database.js';
import type { ReferenceWatch } from '../../database/reference-watch.js';
import { defineStatement } from '../../database/statement.js';
import { DomainError, isUnknown, isUnserved } from '../../database/errors/index.js';
import type { AttentionRules } from '../../engine/index.js';
import { loadAttentionRules } from '../shared-files/attention-group.js';
import { type FlowHead, loadFlowHeads, loadReleasing } from './flow-heads.js';
import { RecentlyUsed } from '../../targeting/values/recently-used.js';
import type { FlowVersion } from '../versions/flow-version.js';
import {
  type ResolvedBlock,
  type ResolvedFlow,
  resolveFlow,
  type VersionNumber,
  type VersionRef,
} from './resolved-flow.js';
import {
  beyondNewest,
  noVersionYet,
  unknownFlow,
  unknownVersion,
  unlessNewer,
  unreleasedFlow,
} from '../versions/unknown.js';

const LOAD_VERSION = defineStatement(
  'load_flow_version',
  'SELECT definition, edition, migration FROM flow_versions WHERE flow = $1 AND version = $2',
);
const LOAD_FLOW_OF_BLOCK = defineStatement(
  'load_flow_of_block',
  'SELECT flow FROM block_uids WHERE uid = $1',
);

const NO_RULES: AttentionRules = Object.freeze({});

/** Shortest time between two looks for what is unknown. */
const PAUSE_MS = 100;

/** Compiled blocks and known uids a process keeps at most. */
const CAPACITY = { blocks: 200_000, uids: 200_000 };

type Heads = ReadonlyMap<string, FlowHead>;

/**
 * Every version of every flow, compiled. Commits never change and stay cached (bounded); what
 * `latest`, version 0 and archived mean follows the database within a second. Without the database
 * it answers for what it has.
 */
export class FlowCatalogue {
  private heads: Heads | undefined;
  /** Environments where `latest` is only what is pinned (Z10). */
  private releasing: ReadonlySet<string> = new Set();
  private attention: ReadonlyMap<string, AttentionRules> = new Map();
  private refreshing: Promise<void> | undefined;
  /** How many looks at the database were begun, and the newest that was answered. */
  private looks = 0;
  private seen = 0;
  /** The last look for something unknown, and when it began. */
  private looking: Promise<void> = Promise.resolve();
  private lookedAt = -Infinity;
  private readonly versions = new RecentlyUsed<ResolvedFlow>(CAPACITY.blocks);
  private readonly loading = new Map<string, Promise<ResolvedFlow>>();
  private readonly flowsOfBlocks = new RecentlyUsed<string>(CAPACITY.uids);
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    watch?: ReferenceWatch,
  ) {
    watch?.onChange('flows', () => void this.refresh().catch(() => undefined));
  }

  /** Calls back after flows were applied, committed or archived, once this catalogue knows it. */
  onRefresh(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * What `latest` means is the environment's matter (S34). What is unknown is looked for once in
   * the database before it is refused, so that a new commit is there at once. Throws
   * `flow.unknown`, for archived flows too (B12), `version.unknown` (B1), `flow.unreleased` (Z10),
   * and `flow.newer` for what a newer release committed (R17).
   */
  getFlow(flow: string, asked: VersionNumber): Promise<ResolvedFlow>;
  getFlow(flow: string, asked: VersionRef, environmentId: string): Promise<ResolvedFlow>;
  getFlow(flow: string, asked: VersionRef, environmentId = ''): Promise<ResolvedFlow> {
    return this.orLook(() => this.findFlow(flow, asked, environmentId));
  }

  /**
   * As `getFlow`, for many at once; undefined for those that it would not find (B13, R17). Where all
   * are loaded, as most are, none costs a promise of its own (P16).
   */
  async findFlows(
    all: readonly { readonly flow: string; readonly version: VersionRef }[],
    environmentId: string,
  ): Promise<(ResolvedFlow | undefined)[]> {
    const heads = await this.loadHeads();
    const loaded = all.map(({ flow, version }) =>
      this.findLoaded(heads, flow, version, environmentId),
    );
    if (!loaded.includes(undefined)) return loaded;
    return Promise.all(
      all.map(({ flow, version }) =>
        this.getFlow(flow, version, environmentId).catch(undefinedIfUnserved),
      ),
    );
  }

  /** As `getFlow`, for those who follow what changes anyway: without a look for what is unknown. */
  getKnownFlow(flow: string, version: number): Promise<ResolvedFlow> {
    return this.findFlow(flow, version, '');
  }

  /**
   * A block by uid, or by `<flow>.<block>` (B2). Throws `block.unknown` for logic blocks too (B6),
   * and as `getFlow` does.
   */
  getBlock(uid: string, asked: VersionNumber): Promise<ResolvedBlock>;
  getBlock(uid: string, asked: VersionRef, environmentId: string): Promise<ResolvedBlock>;
  getBlock(uid: string, asked: VersionRef, environmentId = ''): Promise<ResolvedBlock> {
    return this.orLook(() => this.findBlock(uid, asked, environmentId));
  }

  /** The rules of an attention group, none for an unknown one (Q1). */
  attentionRules(group: string): AttentionRules {
    return this.attention.get(group) ?? NO_RULES;
  }

  /**
   * Looks again what flows and versions there are; if that fails, what is known stays, and the next
   * call tries again.
   */
  refresh(): Promise<void> {
    const refreshing = this.look(++this.looks).finally(() => {
      if (this.refreshing === refreshing) this.refreshing = undefined;
    });
    this.refreshing = refreshing;
    return refreshing;
  }

  /**
   * Looks in the database before it believes that something is unknown, ten times a second at most.
   */
  private async orLook<Found>(find: () => Promise<Found>): Promise<Found> {
    try {
      return await find();
    } catch (error) {
      if (!isUnknown(error)) throw error;
      if (performance.now() - this.lookedAt >= PAUSE_MS) this.lookForUnknown();
      await this.looking;
      return find();
    }
  }

  private lookForUnknown(): void {
    this.lookedAt = performance.now();
    this.looking = this.refresh();
    this.looking.catch(() => undefined);
  }

  private async findFlow(
    flow: string,
    asked: VersionRef,
    environmentId: string,
  ): Promise<ResolvedFlow> {
    const { version, key } = this.identify(await this.loadHeads(), flow, asked, environmentId);
    return this.versions.find(key) ?? this.loadOnce(key, flow, version);
  }

  private findLoaded(
    heads: Heads,
    flow: string,
    asked: VersionRef,
    environmentId: string,
  ): ResolvedFlow | undefined {
    try {
      return this.versions.find(this.identify(heads, flow, asked, environmentId).key);
    } catch (error) {
      return undefinedIfUnserved(error);
    }
  }

  /** Which version it is, and by which key it is kept. */
  private identify(
    heads: Heads,
    flow: string,
    asked: VersionRef,
    environmentId: string,
  ): { version: number; key: string } {
    const head = heads.get(flow);
    if (!head || head.archived) throw unknownFlow(flow);
    const isPinned = head.pins[environmentId] !== undefined;
    if (asked === 'latest' && !isPinned && this.releasing.has(environmentId))
      throw unreleasedFlow(flow);
    const version = versionNumber(flow, head, asked, environmentId);
    const edition = version === 0 ? head.edition : '';
    return { version, key: `${flow}@${version}.${edition} ${head.madeAt[version]}` };
  }

  private async findBlock(
    uid: string,
    asked: VersionRef,
    environmentId: string,
  ): Promise<ResolvedBlock> {
    const dot = uid.indexOf('.');
    const of = dot < 0 ? await this.getFlowOfBlock(uid) : uid.slice(0, dot);
    const flow = await this.findFlow(of, asked, environmentId);
    const { byUid, byIdentifier } = flow.compiled;
    const block = dot < 0 ? byUid.get(uid) : byIdentifier.get(uid.slice(dot + 1));
    if (!block || !('names' in block))
      throw unknownBlock(uid, ` in version ${flow.version} of flow ${flow.flow}`);
    return { flow, block };
  }

  private async look(look: number): Promise<void> {
    // Before the pins: an environment that releases from now on has them, so that no flow is
    // missing for a moment.
    const releasing = await loadReleasing(this.database);
    const heads = await loadFlowHeads(this.database);
    const attention = await loadAttentionRules(this.database);
    if (look < this.seen) return;
    this.seen = look;
    this.heads = heads;
    this.releasing = releasing;
    this.attention = attention;
    for (const listener of this.listeners) listener();
  }

  private async loadHeads(): Promise<Heads> {
    if (!this.heads) await (this.refreshing ?? this.refresh());
    const isStale = this.seen < this.looks;
    if (isStale && !this.refreshing) void this.refresh().catch(() => undefined);
    return this.heads ?? new Map();
  }

  private loadOnce(key: string, flow: string, version: number): Promise<ResolvedFlow> {
    const loading =
      this.loading.get(key) ??
      this.loadVersion(key, flow, version).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  private async loadVersion(key: string, flow: string, version: number): Promise<ResolvedFlow> {
    const [row] = await this.database.run<
      Pick<FlowVersion, 'definition' | 'edition' | 'migration'>
    >(LOAD_VERSION, [flow, version]);
    if (!row) throw unknownVersion(flow, version);
    const resolved = unlessNewer(flow, version, () => resolveFlow({ flow, version, ...row }));
    this.versions.set(key, resolved, resolved.compiled.byUid.size + 1);
    return resolved;
  }

  private async getFlowOfBlock(uid: string): Promise<string> {
    const known = this.flowsOfBlocks.find(uid);
    if (known !== undefined) return known;
    // PostgreSQL would refuse to look for it.
    if (uid.includes('\0')) throw unknownBlock(uid);
    const [row] = await this.database.run<{ flow: string }>(LOAD_FLOW_OF_BLOCK, [uid]);
    if (!row) throw unknownBlock(uid);
    this.flowsOfBlocks.set(uid, row.flow, 1);
    return row.flow;
  }
}

function versionNumber(
  flow: string,
  head: FlowHead,
  asked: VersionRef,
  environmentId: string,
): number {
  if (asked === 'uncommitted') return 0;
  if (asked === 'latest' && head.latest === null) throw noVersionYet(flow);
  const version = asked === 'latest' ? (head.pins[environmentId] ?? head.latest ?? 0) : asked;
  if (version > (head.latest ?? 0)) throw beyondNewest(flow, head.latest);
  return version;
}

function undefinedIfUnserved(error: unknown): undefined {
  if (!isUnserved(error)) throw error;
}

function unknownBlock(uid: string, where = ''): DomainError {
  return new DomainError('block.unknown', `there is no block ${JSON.stringify(uid)}${where}`);
}
