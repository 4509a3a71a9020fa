import { Injectable } from '@nestjs/common';
import { ApiKeyGuard } from '@waymark/domain/access';
import type { Watcher } from '../push/watcher.js';

/** How long a key or token that expired may keep its sockets. */
const CHECK_MS = 1_000;

/**
 * Sockets by the key that opened them: counts them, and closes those that would not be let in again
 * (L1, V7).
 */
@Injectable()
export class SocketsByKey {
  private readonly byKey = new Map<string, Set<Watcher>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly guard: ApiKeyGuard) {}

  start(): void {
    this.timer ??= setInterval(() => this.closeRefused(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  count(keyId: string): number {
    return this.byKey.get(keyId)?.size ?? 0;
  }

  add(watcher: Watcher): void {
    const { keyId } = watcher.viewer.caller;
    const watchers = this.byKey.get(keyId) ?? new Set();
    this.byKey.set(keyId, watchers.add(watcher));
  }

  remove(watcher: Watcher): void {
    const { keyId } = watcher.viewer.caller;
    const watchers = this.byKey.get(keyId);
    if (watchers?.delete(watcher) && watchers.size === 0) this.byKey.delete(keyId);
  }

  private closeRefused(): void {
    for (const watchers of this.byKey.values()) {
      for (const watcher of watchers) {
        const reason = this.guard.findClosed(watcher.viewer.caller, watcher.viewer.actor);
        if (reason === undefined) continue;
        watcher.sendError(reason);
        watcher.close();
      }
    }
  }
}
