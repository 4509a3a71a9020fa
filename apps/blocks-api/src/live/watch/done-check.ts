import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { DomainError, isUnserved } from '@waymark/domain/database/errors';
import { type CompiledDone, waitingForDone } from '@waymark/domain/engine';
import { FlowCatalogue, type ResolvedFlow } from '@waymark/domain/flows';
import { type Actor, RunCommand } from '@waymark/domain/states';
import {
  type ChangedSubject,
  groupId,
  loadChanged,
  type WantedChanges,
} from '@waymark/domain/users';
import { type ServiceSettings, SETTINGS } from '@waymark/service-kit/config';
import { Admission } from '@waymark/service-kit/limits';
import { LOGGER } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import type { WatchedState } from '../push/watched-state.js';
import type { SharedVersion } from '../push/watched-version.js';
import { logRetry } from '../read/log-retry.js';
import { WatchedStates } from './watched-states.js';

const TURN_MS = 1_000;
/** How often conditions on time are checked. */
const CLOCK_MS = 60_000;
/** States that are read in one turn, and at once: as many as share a statement. */
const MOST_READS = 500;
const AT_ONCE = 50;

/** A state with active blocks that say by which condition they are done. */
interface Waiting {
  readonly state: WatchedState;
  readonly flow: ResolvedFlow;
  readonly active: readonly CompiledDone[];
}

/**
 * Lets open pages learn of what is done by itself (Z1): each second it finds, with one statement,
 * which of the users who are watched here were changed, and reads their states as GET block does.
 * What that changes is announced and pushed like anything else. A replica whose watchers see no
 * such flow does nothing.
 */
@Injectable()
export class DoneCheck {
  private readonly closing = new AbortController();
  private since: string | null = null;
  /** Stamps of the last check, since each change is found for five seconds. */
  private known: ReadonlyMap<string, string> = new Map();
  /**
   * To be read, in the order in which they were found: those that were changed before those that
   * may have been.
   */
  private readonly changed = new Set<WatchedState>();
  private readonly wanted = new Set<WatchedState>();
  private clockAt = 0;
  private running = Promise.resolve();

  constructor(
    private readonly states: WatchedStates,
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
    private readonly database: Database,
    private readonly admission: Admission,
    @Inject(SETTINGS) private readonly settings: Pick<ServiceSettings, 'poolSize'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const turn = pause(TURN_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await this.check().catch((error: unknown) => logRetry(this.logger, error));
      await turn;
    }
  }

  private async check(): Promise<void> {
    const waiting = await this.findWaiting();
    for (const state of this.queue()) if (!waiting.has(state)) this.drop(state);
    if (waiting.size === 0) {
      this.since = null;
      return;
    }
    await this.findChanged(waiting);
    await this.readWanted(waiting);
  }

  /** By state, those that wait for something here and now. */
  private async findWaiting(): Promise<ReadonlyMap<WatchedState, Waiting>> {
    const waiting = new Map<WatchedState, Waiting>();
    for (const version of this.states.versions()) {
      const flow = await this.findFlow(version);
      if (!flow || flow.compiled.done.length === 0) continue;
      for (const state of this.states.awakeOf(version)) {
        const active = state.shown ? waitingForDone(flow.compiled, state.shown.state) : [];
        if (active.length > 0) waiting.set(state, { state, flow, active });
      }
    }
    return waiting;
  }

  /**
   * Those whose user or group was changed, that moved since they were checked, or whose conditions
   * ask for the time.
   */
  private async findChanged(waiting: ReadonlyMap<WatchedState, Waiting>): Promise<void> {
    const all = [...waiting.values()];
    const { now, changed } = await loadChanged(this.database, wantedOf(all), this.since);
    const fresh = changed.filter((one) => this.known.get(keyOf(one)) !== one.stamp);
    this.since = now;
    this.known = new Map(changed.map((one) => [keyOf(one), one.stamp]));
    const ids = new Set(fresh.map(({ id }) => id));
    const isMinute = performance.now() >= this.clockAt;
    if (isMinute) this.clockAt = performance.now() + CLOCK_MS;
    for (const { state, active } of all) {
      const isMoved = (state.checkedRevision ?? -1) < (state.revision ?? 0);
      const asksTime = isMinute && active.some(({ when }) => when.mentionsNow);
      const isChanged = ids.has(state.userId) || groupsOf(state).some((id) => ids.has(id));
      if (isChanged) this.changed.add(state);
      else if (isMoved || asksTime) this.wanted.add(state);
    }
  }

  /** Requests go first: while they wait for one another, few are read. */
  private async readWanted(waiting: ReadonlyMap<WatchedState, Waiting>): Promise<void> {
    const next = this.queue().slice(0, MOST_READS);
    for (let read = 0; read < next.length; read += AT_ONCE) {
      const page = next.slice(read, read + AT_ONCE);
      for (const state of page) this.drop(state);
      await Promise.all(page.map((state) => this.read(waiting.get(state)!)));
      if (this.closing.signal.aborted || this.admission.running > this.settings.poolSize) return;
    }
  }

  private queue(): WatchedState[] {
    return [...new Set([...this.changed, ...this.wanted])];
  }

  private drop(state: WatchedState): void {
    this.changed.delete(state);
    this.wanted.delete(state);
  }

  /** As a read of a block, in each group that its watchers name. */
  private async read({ state, flow }: Waiting): Promise<void> {
    let hasMoved = false;
    try {
      for (const actor of actorsOf(state)) {
        const asked = { kind: 'read', starts: false } as const;
        const { revision, tookEffect } = await this.runCommand.run(flow, actor, asked);
        hasMoved ||= tookEffect;
        // What it has entered is checked in the next turn, in each group.
        state.checkedRevision = hasMoved ? undefined : revision;
      }
    } catch (error) {
      state.checkedRevision = state.revision;
      if (isUnserved(error) || (error instanceof DomainError && error.code === 'user.unknown'))
        return;
      this.wanted.add(state);
      logRetry(this.logger, error);
    }
  }

  /** Undefined for what is not served just now, such as archived flows. */
  private async findFlow({ flow, version }: SharedVersion): Promise<ResolvedFlow | undefined> {
    try {
      return await this.catalogue.getKnownFlow(flow, version);
    } catch (error) {
      if (isUnserved(error)) return undefined;
      throw error;
    }
  }
}

const keyOf = ({ of, id }: ChangedSubject): string => `${of} ${id}`;

/** One for each group that is named, and one for those who name none. */
function actorsOf({ watches }: WatchedState): Actor[] {
  const actors = [...watches.keys()].map(({ viewer }) => viewer.actor);
  return [...new Map(actors.map((actor) => [actor.group, actor])).values()];
}

const groupsOf = (state: WatchedState): string[] =>
  actorsOf(state).flatMap(({ environmentId, group }) =>
    group === undefined ? [] : groupId(environmentId, group),
  );

/** Only what the conditions look at. */
function wantedOf(all: readonly Waiting[]): WantedChanges {
  const withEvents = all.filter(({ active }) => active.some(({ when }) => when.events.length > 0));
  const withGroups = all.filter(({ active }) => active.some(({ when }) => when.mentionsGroup));
  const withoutName = withGroups.filter(({ state }) =>
    actorsOf(state).some(({ group }) => group === undefined),
  );
  const usersOf = (some: readonly Waiting[]) => [
    ...new Set(some.map(({ state: { userId } }) => userId)),
  ];
  return {
    users: usersOf(all),
    events: {
      users: usersOf(withEvents),
      names: [
        ...new Set(
          withEvents.flatMap(({ active }) => active.flatMap(({ when: { events } }) => events)),
        ),
      ],
    },
    groups: [...new Set(withGroups.flatMap(({ state }) => groupsOf(state)))],
    members: usersOf(withoutName),
  };
}
