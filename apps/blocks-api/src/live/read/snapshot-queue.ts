import type { Watch } from '../push/watched-state.js';
import type { Watcher } from '../push/watcher.js';

/** Snapshots that may wait for the sockets of one address. */
const MOST_OF_ADDRESS = 10_000;

/**
 * First in, first out, at a constant cost: `Array.shift` copies what is left of a long list, and a
 * Map keeps holes.
 */
class Fifo<Item> {
  private incoming: Item[] = [];
  private outgoing: Item[] = [];

  push(item: Item): void {
    this.incoming.push(item);
  }

  shift(): Item | undefined {
    if (this.outgoing.length === 0) {
      this.outgoing = this.incoming.reverse();
      this.incoming = [];
    }
    return this.outgoing.pop();
  }
}

interface AddressQueue {
  /** Sockets with waiting snapshots; some of them may have left since. */
  readonly watchers: Fifo<Watcher>;
  size: number;
}

/**
 * Watches that wait for a snapshot: addresses take turns, then the sockets of each address (R13).
 */
export class SnapshotQueue {
  private readonly byAddress = new Map<string, AddressQueue>();
  private readonly turns = new Fifo<string>();
  private readonly bySocket = new Map<Watcher, Watch[]>();

  /** False where too many wait for this address already. */
  add(watch: Watch): boolean {
    const { watcher } = watch;
    const queue = this.queueOf(watcher.viewer.address);
    if (queue.size >= MOST_OF_ADDRESS) return false;
    queue.size++;
    const waiting = this.bySocket.get(watcher);
    if (waiting) waiting.push(watch);
    else {
      this.bySocket.set(watcher, [watch]);
      queue.watchers.push(watcher);
    }
    return true;
  }

  take(): Watch | undefined {
    for (let address = this.turns.shift(); address !== undefined; address = this.turns.shift()) {
      const watch = this.takeOf(address);
      if (watch) return watch;
    }
    return undefined;
  }

  /** Drops what waits for a socket that has left. */
  drop(watcher: Watcher): void {
    const queue = this.byAddress.get(watcher.viewer.address);
    if (queue) queue.size -= this.bySocket.get(watcher)?.length ?? 0;
    this.bySocket.delete(watcher);
  }

  private takeOf(address: string): Watch | undefined {
    const queue = this.byAddress.get(address)!;
    for (let watcher = queue.watchers.shift(); watcher; watcher = queue.watchers.shift()) {
      const waiting = this.bySocket.get(watcher);
      const watch = waiting?.shift();
      if (!waiting || !watch) continue;
      queue.size--;
      if (waiting.length > 0) queue.watchers.push(watcher);
      else this.bySocket.delete(watcher);
      this.turns.push(address);
      return watch;
    }
    this.byAddress.delete(address);
    return undefined;
  }

  private queueOf(address: string): AddressQueue {
    let queue = this.byAddress.get(address);
    if (!queue) {
      this.byAddress.set(address, (queue = { watchers: new Fifo(), size: 0 }));
      this.turns.push(address);
    }
    return queue;
  }
}
