import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import type { Sender } from '../sending/sender.js';
import type { BlockNames } from '../../events/reader/block-names.js';
import { type LogPosition, positionValues } from '../../events/reader/log-position.js';
import type { LogPage } from '../../events/reader/read-log.js';
import { toStepEvents } from '../../events/reader/public-events.js';
import {
  type DeliveryOutcome,
  type DeliveryStop,
  MOST_SET_ASIDE,
  WindowDelivery,
  type WindowEnd,
} from './window-delivery.js';
import { LOAD_LEASED, PAUSE_ENDPOINT, SAVE_WINDOW } from './delivery-statements.js';
import { ALL_WELL, type DeliveryStatus, pauseAfter, statusAfter } from './delivery-status.js';
import { DeliveryWindow, type WindowEvent } from './delivery-window.js';
import type { Lease, LeasedEndpoint } from './lease.js';
import { LogReader } from './log-reader.js';

export interface DeliverySettings {
  /** How often the log is looked at when nothing was behind the position. */
  readonly idleMs: number;
  /**
   * Milliseconds after each refusal of an event until it is tried again; behind the last one it is
   * set aside.
   */
  readonly refusalPausesMs?: readonly number[];
  /** The longest pause of an endpoint that is down. */
  readonly longestPauseSeconds?: number;
  /** Whether the process has more urgent work; then delivery rests after each window. */
  readonly isBusy?: () => boolean;
  /** Called with every request, for logs and metrics. */
  readonly onOutcome?: (
    endpoint: LeasedEndpoint,
    outcome: DeliveryOutcome,
    events: number,
    code: string | null,
  ) => void;
  /** Called when the database fails the worker itself. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Steps that are looked at for one window, and where nothing of the last ones was wanted. */
const STEPS = 100;
const STEPS_OF_OTHERS = 1_000;

/**
 * How long delivery rests where the process is busy: some 500 events a second are still delivered
 * (P13).
 */
const REST_MS = 250;

/** Why nothing more is delivered for an endpoint here. */
type DeliveryEnd = 'released' | 'failed';

/** Delivers for one endpoint, window after window, for as long as the lease is held (E8). */
export class EndpointDelivery {
  private readonly log: LogReader;
  private size = STEPS;
  /** Whether the row says that something waits or went wrong. */
  private saysTrouble = true;

  constructor(
    private readonly database: Database,
    private readonly names: BlockNames,
    private readonly lease: Lease,
    private readonly sender: Sender,
    private readonly settings: DeliverySettings,
    private readonly stop: DeliveryStop,
  ) {
    this.log = new LogReader(database);
  }

  /**
   * Resolves when there is nothing more to do here. Another process may continue, this one
   * included: at once where the lease was released; where the database failed, the lease has to be
   * taken back first. Never throws.
   */
  async run(): Promise<DeliveryEnd> {
    try {
      for (
        let endpoint = await this.load();
        endpoint && !endpoint.isPaused;
        endpoint = await this.turn(endpoint)
      );
      await this.lease.release(0);
      return 'released';
    } catch (error) {
      this.settings.onTrouble?.(error);
      return 'failed';
    }
  }

  private async load(): Promise<LeasedEndpoint | undefined> {
    const [endpoint] = await this.database.run<LeasedEndpoint>(LOAD_LEASED, [
      this.lease.endpointId,
      this.lease.token,
    ]);
    return endpoint;
  }

  /** The endpoint as it is after one window; undefined where there is to be none after it. */
  private async turn(endpoint: LeasedEndpoint): Promise<LeasedEndpoint | undefined> {
    if (this.stop.closing.aborted) return undefined;
    const page = await this.log.read(endpoint, endpoint, this.size);
    return page.end ? this.deliver(endpoint, page, page.end) : this.idle(endpoint);
  }

  private async idle(endpoint: LeasedEndpoint): Promise<LeasedEndpoint | undefined> {
    const nothing = new DeliveryWindow([], null, endpoint.setAsideInARow);
    const isNews = this.saysTrouble || endpoint.downs > 0;
    if (isNews && !(await this.save(endpoint, nothing, endpoint, ALL_WELL))) return undefined;
    await this.pause(this.settings.idleMs);
    return (await this.lease.isHeld()) ? this.load() : undefined;
  }

  private async deliver(
    endpoint: LeasedEndpoint,
    page: LogPage,
    end: LogPosition,
  ): Promise<LeasedEndpoint | undefined> {
    const window = await this.beginWindow(endpoint, page);
    this.size = window.events.length === 0 ? STEPS_OF_OTHERS : STEPS;
    if (page.isFull) void this.log.prepare(end, endpoint, this.size);
    const onAnswer = (outcome: DeliveryOutcome, events: number, code: string | null) =>
      this.settings.onOutcome?.(endpoint, outcome, events, code);
    const ending = await new WindowDelivery(
      endpoint,
      window,
      this.sender,
      this.lease,
      this.stop,
      onAnswer,
    ).run();
    if (ending.kind === 'lost') return undefined;
    const status = statusAfter(endpoint, window, page, ending);
    const saved = await this.save(endpoint, window, window.isSettled ? end : endpoint, status);
    if (!saved || (await this.pauseIfHopeless(endpoint, window, ending))) return undefined;
    if (window.isSettled) return this.rested(saved);
    await this.lease.release(
      ending.kind === 'stopped'
        ? 0
        : pauseAfter(status, window, endpoint.nowMs, this.settings.longestPauseSeconds),
    );
    return undefined;
  }

  /** While the process is busy, requests go first; the backlog can wait. */
  private async rested(endpoint: LeasedEndpoint): Promise<LeasedEndpoint | undefined> {
    if (!this.settings.isBusy?.()) return endpoint;
    await this.pause(REST_MS);
    return (await this.lease.isHeld()) ? endpoint : undefined;
  }

  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stop.closing }).catch(() => undefined);
  }

  private async beginWindow(endpoint: LeasedEndpoint, { steps }: LogPage): Promise<DeliveryWindow> {
    const read = await toStepEvents(steps, endpoint.environment, this.names);
    const isWanted = (type: string) =>
      endpoint.types.length === 0 || endpoint.types.some((other) => other === type);
    const events = read.flatMap(({ step, events: all }): WindowEvent[] => {
      const state = `${step.userId} ${step.flow} ${step.version}`;
      return all
        .filter(({ type }) => isWanted(type))
        .map((event) => ({ event, userId: step.userId, state }));
    });
    return new DeliveryWindow(
      events,
      endpoint.openWindow,
      endpoint.setAsideInARow,
      this.settings.refusalPausesMs,
    );
  }

  /**
   * Writes the position and the results of the window, if the lease is still held; returns the
   * endpoint as it is then.
   */
  private async save(
    { id }: LeasedEndpoint,
    window: DeliveryWindow,
    position: LogPosition,
    { waitingSince, downs, error }: DeliveryStatus,
  ): Promise<LeasedEndpoint | undefined> {
    const unfinished = window.isSettled ? null : window.toUnfinished();
    const sentAt = performance.now();
    const [saved] = await this.database.run<LeasedEndpoint>(SAVE_WINDOW, [
      ...[
        id,
        this.lease.token,
        ...positionValues(position),
        unfinished && JSON.stringify(unfinished),
        JSON.stringify(window.setAside),
      ],
      ...[downs, window.setAsideInARow, waitingSince, error, window.delivered > 0],
    ]);
    this.saysTrouble = waitingSince !== null || error !== null;
    if (saved) this.lease.prolonged(sentAt);
    else this.lease.lose();
    return saved;
  }

  /**
   * 410 means that the receiver wants no more events; a hundred refusals in a row mean that
   * something is wrong (E8).
   */
  private async pauseIfHopeless(
    { id }: LeasedEndpoint,
    window: DeliveryWindow,
    { kind }: WindowEnd,
  ): Promise<boolean> {
    const isRefusing = window.setAsideInARow >= MOST_SET_ASIDE;
    if (kind !== 'gone' && !isRefusing) return false;
    const reason =
      kind === 'gone'
        ? 'the receiver answered 410'
        : `the receiver refused ${MOST_SET_ASIDE} events in a row`;
    await this.database.run(PAUSE_ENDPOINT, [id, reason]);
    await this.lease.release(0);
    return true;
  }
}
