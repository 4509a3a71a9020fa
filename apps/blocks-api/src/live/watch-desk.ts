import { DomainError } from '@waymark/domain/errors';
import type { FlowCatalogue, ResolvedFlow } from '@waymark/domain/flows';
import type { KeyWatch } from './key-watch.js';
import { parseWatchRequest, type WatchRequest } from './watch-request.js';
import { MOST_WATCHES, type WatchedVersion } from './watched-version.js';
import { stateKey, type WatchedStates } from './watched-states.js';
import type { Watcher } from './watcher.js';

const MALFORMED = 'has to carry an identifier and a version: a number from 0, "latest" or "uncommitted"';

/** Takes the wishes of sockets: what cannot be watched is answered with an `error`, never with a disconnect (L3). */
export class WatchDesk {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly states: WatchedStates,
    private readonly keyWatch: KeyWatch,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** `ready`, then what the socket watched before it lost its connection, with snapshots (L2, L7). */
  async welcome(watcher: Watcher, before: readonly WatchedVersion[]): Promise<void> {
    this.keyWatch.add(watcher);
    watcher.send('ready');
    for (const { flow, version } of before) {
      await this.watch(watcher, `flow ${flow}`, () => this.catalogue.getFlow(flow, version));
    }
  }

  leave(watcher: Watcher): void {
    this.keyWatch.remove(watcher);
    watcher.isGone = true;
    this.states.leave(watcher);
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
    if (!watcher.mayAsk()) return watcher.refuse(`${event}: too many at once`);
    const request = parseWatchRequest(payload);
    if (!request) return watcher.refuse(`${event} ${MALFORMED}`);
    await this.watch(watcher, event, () => find(request));
  }

  private async watch(watcher: Watcher, what: string, find: () => Promise<ResolvedFlow>): Promise<void> {
    try {
      const { flow, version } = await find();
      if (watcher.isGone) return;
      const isNew = !watcher.watches.has(stateKey(watcher.viewer.userId, { flow, version }));
      if (isNew && watcher.watches.size >= MOST_WATCHES) {
        return watcher.refuse(`${what}: a socket watches at most ${MOST_WATCHES} flows`);
      }
      this.states.watch(watcher, { flow, version });
      if (isNew) watcher.tellWatches();
    } catch (error) {
      const isRefusal = error instanceof DomainError && error.code.endsWith('.unknown');
      if (!isRefusal) this.onTrouble(error);
      watcher.refuse(`${what}: ${isRefusal ? error.message : 'cannot be watched just now, please try again'}`);
    }
  }
}
