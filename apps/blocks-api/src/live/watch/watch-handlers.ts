import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isUnserved } from '@waymark/domain/database/errors';
import { FlowCatalogue, type ResolvedFlow, type VersionRef } from '@waymark/domain/flows';
import { Budgets } from '@waymark/service-kit/limits';
import { LOGGER } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import type { ClientEvent } from '../push/live-events.js';
import { logRetry } from '../read/log-retry.js';
import { MOST_WATCHES, type WatchedVersion } from '../push/watched-version.js';
import { WatchedStates } from './watched-states.js';
import type { Watcher } from '../push/watcher.js';
import { LONGEST_BLOCK_REFERENCE } from '../../flows/api-state-request.js';

/**
 * Watches of one socket that may wait for the database; a flow of 1,000 blocks is watched with
 * 1,001.
 */
const MOST_RETRIES = 2_000;
const RETRY_MS = 500;
/** Of one socket; a flow of 1,000 blocks is watched with 1,001 requests at once. */
const REQUESTS_PER_SECOND = 2_000;
const MALFORMED =
  'has to carry an identifier and a version: a number from 0, "latest" or "uncommitted"';

/**
 * What a `watch:flow` or `watch:block` names: a flow, or a block by uid or sid, in a version or tag
 * (L3, B1, B2).
 */
interface WatchRequest {
  readonly id: string;
  readonly asked: VersionRef;
}

const NUMBER = /^(0|[1-9][0-9]*)$/;

/**
 * Handlers of what sockets send: what cannot be watched is answered with an `error`, never with a
 * disconnect (L3).
 */
@Injectable()
export class WatchHandlers {
  /** The flow to watch; of old clients that of a block (L3). */
  private readonly finders: Record<
    ClientEvent,
    (request: WatchRequest, environmentId: string) => Promise<ResolvedFlow>
  > = {
    'watch:flow': ({ id, asked }, environmentId) =>
      this.catalogue.getFlow(id, asked, environmentId),
    'watch:block': async ({ id, asked }, environmentId) =>
      (await this.catalogue.getBlock(id, asked, environmentId)).flow,
  };

  private readonly requests = new Budgets(REQUESTS_PER_SECOND);

  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly states: WatchedStates,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * `ready`, then what the socket watched before it lost its connection, with snapshots (L2, L7).
   */
  async connect(watcher: Watcher, before: readonly WatchedVersion[]): Promise<void> {
    watcher.send('ready');
    watcher.isReturning = true;
    for (const { flow, version } of before) {
      if (watcher.isGone) return;
      await this.watch(watcher, `flow ${flow}`, () => this.catalogue.getFlow(flow, version));
    }
    watcher.isReturning = false;
    if (watcher.watched.length > 0) watcher.sendWatches();
  }

  disconnect(watcher: Watcher): void {
    watcher.isGone = true;
    this.states.unwatchAll(watcher);
  }

  async handle(event: ClientEvent, watcher: Watcher, payload: unknown): Promise<void> {
    if (!this.requests.take(watcher.id)) return watcher.sendError(`${event}: too many at once`);
    const request = parseWatchRequest(payload);
    if (!request) return watcher.sendError(`${event} ${MALFORMED}`);
    await this.watch(watcher, event, () =>
      this.finders[event](request, watcher.viewer.actor.environmentId),
    );
  }

  private async watch(
    watcher: Watcher,
    what: string,
    find: () => Promise<ResolvedFlow>,
  ): Promise<void> {
    const attempt = () => this.tryToWatch(watcher, what, find);
    if (!(await attempt())) this.retryLater(watcher, attempt);
  }

  /** False where the database does not answer just now. */
  private async tryToWatch(
    watcher: Watcher,
    what: string,
    find: () => Promise<ResolvedFlow>,
  ): Promise<boolean> {
    try {
      const flow = await find();
      if (!watcher.isGone) this.add(watcher, what, flow);
    } catch (error) {
      if (!isUnserved(error)) {
        logRetry(this.logger, error);
        return false;
      }
      watcher.sendError(`${what}: ${error.message}`);
    }
    return true;
  }

  private add(watcher: Watcher, what: string, { flow, version }: ResolvedFlow): void {
    const isNew = !watcher.watched.some((one) => one.flow === flow && one.version === version);
    if (isNew && watcher.watched.length >= MOST_WATCHES) {
      return watcher.sendError(`${what}: a socket watches at most ${MOST_WATCHES} flows`);
    }
    this.states.watch(watcher, { flow, version });
    if (isNew && !watcher.isReturning) watcher.sendWatches();
  }

  /**
   * Goes on trying for as long as the socket is there, since the SDKs ask for a watch once and
   * never again (L7).
   */
  private retryLater(watcher: Watcher, attempt: () => Promise<boolean>): void {
    if (watcher.retries.length >= MOST_RETRIES)
      return watcher.sendError('too many watches wait for the database');
    watcher.retries.push(attempt);
    if (watcher.retries.length === 1) void this.retry(watcher);
  }

  /** One after the other: what keeps the first from succeeding keeps the others as well. */
  private async retry(watcher: Watcher): Promise<void> {
    const { retries } = watcher;
    for (let attempt = retries[0]; attempt && !watcher.isGone; attempt = retries[0]) {
      if (await attempt()) retries.shift();
      else await pause(RETRY_MS * (0.5 + Math.random()));
    }
  }
}

/** Null where the payload is not an identifier followed by a version. */
export function parseWatchRequest(payload: unknown): WatchRequest | null {
  const [id, version]: unknown[] = Array.isArray(payload) ? payload : [payload];
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_BLOCK_REFERENCE) return null;
  const asked = parseVersion(version);
  return asked === null ? null : { id, asked };
}

function parseVersion(version: unknown): VersionRef | null {
  if (version === 'latest' || version === 'uncommitted') return version;
  if (typeof version === 'number')
    return Number.isSafeInteger(version) && version >= 0 ? version : null;
  return typeof version === 'string' && NUMBER.test(version) ? Number(version) : null;
}
