import type { DataSource } from 'typeorm';
import { commandFor, type Context, type Effect } from '../../engine/index.js';
import { isUnknown } from '../../database/errors/index.js';
import {
  doesReleaseByPin,
  findPin,
  Flow,
  loadFlowVersion,
  loadLatestVersion,
  type ResolvedFlow,
  resolveFlow,
} from '../../flows/index.js';
import { advance } from '../../states/command/advance.js';
import { loadStatesOf } from '../reader/load-states.js';
import { storedIn } from './evaluate.js';

type Trigger = Extract<Effect, { kind: 'flow-trigger' }>;

/** What triggered flows would fire in their turn, one level deep (S19). */
export class Triggered {
  private readonly known = new Map<string, Promise<ResolvedFlow | null>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environmentId: string,
    /** Flows that are planned together, which would then be the latest where none is pinned. */
    private readonly planned: ReadonlyMap<string, ResolvedFlow>,
  ) {}

  /** Effects as `flow.block` for one user. A trigger of what is not there fires nothing. */
  async find(effects: readonly Effect[], userId: string, context: Context): Promise<string[]> {
    const found: string[] = [];
    for (const effect of effects)
      if (effect.kind === 'flow-trigger') found.push(...(await this.fire(effect, userId, context)));
    return found;
  }

  private async fire(trigger: Trigger, userId: string, context: Context): Promise<string[]> {
    const flow = await this.resolve(trigger);
    if (!flow) return [];
    const states = await loadStatesOf(this.dataSource, flow.flow, flow.version, [userId]);
    // Triggers ignore targeting (S19).
    const command = commandFor(trigger.intent, true);
    const { effects } = advance(flow, storedIn(flow, states.get(userId)), command, context);
    return effects.map(
      ({ effect: { block } }) => `${flow.flow}.${flow.compiled.byUid.get(block)?.id ?? block}`,
    );
  }

  private resolve({ flow, version }: Trigger): Promise<ResolvedFlow | null> {
    const key = `${flow}@${version}`;
    const known =
      this.known.get(key) ??
      (version === 'latest' ? this.loadLatest(flow) : this.load(flow, version));
    this.known.set(key, known);
    return known;
  }

  /**
   * What the environment pins comes before what is planned (S34); what is not released is not there
   * (Z10).
   */
  private async loadLatest(flow: string): Promise<ResolvedFlow | null> {
    const { manager } = this.dataSource;
    const pinned = await findPin(manager, this.environmentId, flow);
    if (pinned !== null) return this.load(flow, pinned);
    if (await doesReleaseByPin(manager, this.environmentId)) return null;
    return this.planned.get(flow) ?? this.load(flow, 'highest');
  }

  private async load(flow: string, version: number | 'highest'): Promise<ResolvedFlow | null> {
    const { manager } = this.dataSource;
    try {
      if ((await manager.findOneBy(Flow, { flow }))?.archivedAt) return null;
      const asked = version === 'highest' ? await loadLatestVersion(manager, flow) : version;
      if (asked === null) return null;
      return resolveFlow(await loadFlowVersion(manager, flow, asked));
    } catch (error) {
      if (isUnknown(error)) return null;
      throw error;
    }
  }
}
