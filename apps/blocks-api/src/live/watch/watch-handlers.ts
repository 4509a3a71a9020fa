import { Inject, Injectable } from '@nestjs/common';
import { isUnknown } from '@waymark/domain/errors';
import { FlowCatalogue, type ResolvedFlow } from '@waymark/domain/flows';
import { LOGGER } from '@waymark/service-kit/logging';
import type { Logger } from 'pino';
import { logRetry } from './log-retry.js';
import { parseWatchRequest, type WatchRequest } from './watch-request.js';
import { MOST_WATCHES, type WatchedVersion } from './watched-version.js';
import { stateKey, WatchedStates } from './watched-states.js';
import type { Watcher } from './watcher.js';

const MALFORMED = 'has to carry an identifier and a version: a number from 0, "latest" or "uncommitted"';

/** Handlers of what sockets send: what cannot be watched is answered with an `error`, never with a disconnect (L3). */
@Injectable()
export class WatchHandlers {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly states: WatchedStates,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `ready`, then what the socket watched before it lost its connection, with snapshots (L2, L7). */
  async connect(watcher: Watcher, before: readonly WatchedVersion[]): Promise<void> {
    watcher.send('ready');
    for (const { flow, version } of before) {
      await this.watch(watcher, `flow ${flow}`, () => this.catalogue.getFlow(flow, version));
    }
  }

  disconnect(watcher: Watcher): void {
    watcher.isGone = true;
    this.states.unwatchAll(watcher);
  }

  watchFlow(watcher: Watcher, payload: unknown): Promise<void> {
    return this.parse(watcher, 'watch:flow', payload, ({ id, asked }) => this.catalogue.getFlow(id, asked));
  }

  /** Of old clients: watches the flow of the block (L3). */
  watchBlock(watcher: Watcher, payload: unknown): Promise<void> {
    return this.parse(watcher, 'watch:block', payload, async ({ id, asked }) => (await this.catalogue.getBlock(id, asked)).flow);
  }

  private async parse(
    watcher: Watcher,
    event: string,
    payload: unknown,
    find: (request: WatchRequest) => Promise<ResolvedFlow>,
  ): Promise<void> {
    if (!watcher.mayRequest()) return watcher.sendError(`${event}: too many at once`);
    const request = parseWatchRequest(payload);
    if (!request) return watcher.sendError(`${event} ${MALFORMED}`);
    await this.watch(watcher, event, () => find(request));
  }

  private async watch(watcher: Watcher, what: string, find: () => Promise<ResolvedFlow>): Promise<void> {
    try {
      const { flow, version } = await find();
      if (watcher.isGone) return;
      const isNew = !watcher.watches.has(stateKey(watcher.viewer.userId, { flow, version }));
      if (isNew && watcher.watches.size >= MOST_WATCHES) {
        return watcher.sendError(`${what}: a socket watches at most ${MOST_WATCHES} flows`);
      }
      this.states.watch(watcher, { flow, version });
      if (isNew) watcher.sendWatches();
    } catch (error) {
      if (isUnknown(error)) return watcher.sendError(`${what}: ${error.message}`);
      logRetry(this.logger, error);
      watcher.sendError(`${what}: cannot be watched just now, please try again`);
    }
  }
}
