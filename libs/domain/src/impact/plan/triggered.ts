import type { DataSource } from 'typeorm';
import { commandFor, type Context, type Effect, EMPTY_STATE, migrate, step } from '../../engine/index.js';
import { isUnknown } from '../../errors/index.js';
import { findPin, Flow, loadFlowVersion, loadLatestVersion } from '../../flows/index.js';
import type { Meeting, MetState } from './foresee.js';
import { loadStatesOf } from './load-planned.js';
import { toMeeting } from './plan-subject.js';

type Trigger = Extract<Effect, { kind: 'flow-trigger' }>;

/** What triggered flows would fire in their turn, one level deep (S19). */
export class Triggered {
  private readonly known = new Map<string, Promise<Meeting | null>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly environmentId: string,
    /** Flows that are planned together, which would then be the latest where none is pinned. */
    private readonly planned: ReadonlyMap<string, Meeting>,
  ) {}

  /** Effects as `flow.block` for one user. A trigger of what is not there fires nothing. */
  async find(effects: readonly Effect[], userId: string, context: Context): Promise<string[]> {
    const found: string[] = [];
    for (const effect of effects) if (effect.kind === 'flow-trigger') found.push(...(await this.fire(effect, userId, context)));
    return found;
  }

  private async fire(trigger: Trigger, userId: string, context: Context): Promise<string[]> {
    const meeting = await this.resolve(trigger);
    if (!meeting) return [];
    const met = (await loadStatesOf(this.dataSource, trigger.flow, meeting.version, [userId])).get(userId);
    const arrived = arrive(meeting, met, context);
    // Triggers ignore targeting (S19).
    const { effects } = step(meeting.compiled, arrived.state, commandFor(trigger.intent, true), context);
    return [...arrived.effects, ...effects].map(
      ({ block }) => `${trigger.flow}.${meeting.compiled.byUid.get(block)?.id ?? block}`,
    );
  }

  private resolve({ flow, version }: Trigger): Promise<Meeting | null> {
    const key = `${flow}@${version}`;
    const known = this.known.get(key) ?? (version === 'latest' ? this.loadLatest(flow) : this.load(flow, version));
    this.known.set(key, known);
    return known;
  }

  /** What the environment pins comes before what is planned (S34). */
  private async loadLatest(flow: string): Promise<Meeting | null> {
    const pinned = await findPin(this.dataSource.manager, this.environmentId, flow);
    return pinned === null ? (this.planned.get(flow) ?? this.load(flow, 'highest')) : this.load(flow, pinned);
  }

  private async load(flow: string, version: number | 'highest'): Promise<Meeting | null> {
    const { manager } = this.dataSource;
    try {
      if ((await manager.findOneBy(Flow, { flow }))?.archivedAt) return null;
      const asked = version === 'highest' ? await loadLatestVersion(manager, flow) : version;
      if (asked === null) return null;
      return toMeeting(await loadFlowVersion(manager, flow, asked));
    } catch (error) {
      if (isUnknown(error)) return null;
      throw error;
    }
  }
}

function arrive({ compiled, strategy, version }: Meeting, met: MetState | undefined, context: Context) {
  if (!met) return { state: EMPTY_STATE, effects: [] };
  return met.version === version ? { state: met.state, effects: [] } : migrate(compiled, met, strategy, context);
}
