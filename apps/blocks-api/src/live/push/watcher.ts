import type { Caller } from '@waymark/domain/environments';
import type { Actor } from '@waymark/domain/flow-states';
import type { Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from './live-events.js';
import { TokenBucket } from '@waymark/service-kit/overload';
import type { Push } from './push.js';
import { type WatchedVersion, watchesText } from './watched-version.js';

/** Whom a socket speaks for; fixed for as long as it lives. */
export interface Viewer {
  readonly actor: Actor;
  readonly userId: string;
  readonly caller: Caller;
}

/** Bytes that may wait beside a snapshot for a client that does not read; then it is dropped, and catches up when it returns (L7). */
const MOST_BUFFERED_BYTES = 1024 * 1024;
const REQUESTS_PER_SECOND = 2_000;

interface Buffers {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { bufferedAmount: number; terminate(): void } };
}

/** One socket with its watches. */
export class Watcher {
  /** What it watches, by key of the state. */
  readonly watched = new Map<string, WatchedVersion>();
  /** Watches that the database did not answer for yet; each tells whether it does now. */
  readonly retries: (() => Promise<boolean>)[] = [];
  /** The socket has left; what is still under way for it is in vain. */
  isGone = false;
  private readonly requests = new TokenBucket(REQUESTS_PER_SECOND);
  /** Bytes of the largest snapshot so far, which may take a slow client a while. */
  private snapshotBytes = 0;

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
    if (this.bufferedBytes() > MOST_BUFFERED_BYTES + this.snapshotBytes) {
      this.onDropped();
      this.buffers.transport.socket?.terminate();
    } else this.socket.emit(event, ...payload);
  }

  /** `blocks` before `flow` (L5). */
  sendPush({ blocks, flow }: Push): void {
    this.send('blocks', blocks);
    this.send('flow', flow);
  }

  /** As a push, of any size: the next one is to wait while the client `isBehind` (L4). */
  sendSnapshot({ blocks, flow }: Push): void {
    const before = this.bufferedBytes();
    this.socket.emit('blocks', blocks);
    this.socket.emit('flow', flow);
    this.snapshotBytes = Math.max(this.snapshotBytes, this.bufferedBytes() - before);
  }

  /** Much waits already for the client to read it. */
  get isBehind(): boolean {
    return this.bufferedBytes() > MOST_BUFFERED_BYTES;
  }

  private bufferedBytes(): number {
    const { writeBuffer, transport } = this.buffers;
    const inKernelQueue = transport.socket?.bufferedAmount ?? 0;
    return writeBuffer.reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), inKernelQueue);
  }

  private get buffers(): Buffers {
    return this.socket.conn as unknown as Buffers;
  }

  /** An `error` takes the place of the watches as the text that the client will bring back, so they follow it (L7). */
  sendError(text: string): void {
    this.send('error', text);
    if (this.watched.size > 0) this.sendWatches();
  }

  sendWatches(): void {
    this.send('watching', watchesText([...this.watched.values()]));
  }

  /** Closes the transport, not the namespace: clients come back by themselves (L7). */
  close(): void {
    this.socket.conn.close();
  }
}
