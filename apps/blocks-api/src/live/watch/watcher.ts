import type { Actor } from '@waymark/domain/flow-states';
import type { Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../live-events.js';
import { TokenBucket } from '../token-bucket.js';
import type { Watch } from './watched-state.js';
import { watchesText } from './watched-version.js';

/** Whom a socket speaks for; fixed for as long as it lives. */
export interface Viewer {
  readonly actor: Actor;
  readonly userId: string;
  readonly keyId: string;
}

/** Bytes that may wait for a client that does not read; then it is dropped, and catches up when it returns (L7). */
const MOST_BUFFERED_BYTES = 1024 * 1024;
const REQUESTS_PER_SECOND = 2_000;

interface Buffers {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { bufferedAmount: number; terminate(): void } };
}

/** One socket with its watches. */
export class Watcher {
  /** By key of the state. */
  readonly watches = new Map<string, Watch>();
  /** The socket has left; what is still under way for it is in vain. */
  isGone = false;
  private readonly requests = new TokenBucket(REQUESTS_PER_SECOND);

  constructor(
    readonly viewer: Viewer,
    private readonly socket: Socket<ClientEvents, ServerEvents>,
    private readonly onDropped: () => void,
  ) {}

  /** False for a client that asks without end; a flow of 1,000 blocks is watched with 1,001 requests at once. */
  mayRequest(): boolean {
    return this.requests.take();
  }

  /** Sends, unless too much waits already: what is dropped here is sent as a snapshot after the reconnect. */
  send<Event extends keyof ServerEvents>(event: Event, ...payload: Parameters<ServerEvents[Event]>): void {
    const { writeBuffer, transport } = this.socket.conn as unknown as Buffers;
    if (writeBuffer.length > 0 && bufferedBytes(writeBuffer, transport.socket?.bufferedAmount) > MOST_BUFFERED_BYTES) {
      this.onDropped();
      transport.socket?.terminate();
    } else this.socket.emit(event, ...payload);
  }

  /** An `error` takes the place of the watches as the text that the client will bring back, so they follow it (L7). */
  sendError(text: string): void {
    this.send('error', text);
    if (this.watches.size > 0) this.sendWatches();
  }

  sendWatches(): void {
    this.send('watching', watchesText([...this.watches.values()].map(({ state }) => state.watched)));
  }

  /** Closes the transport, not the namespace: clients come back by themselves (L7). */
  close(): void {
    this.socket.conn.close();
  }
}

function bufferedBytes(packets: Buffers['writeBuffer'], inKernelQueue = 0): number {
  return packets.reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), inKernelQueue);
}
