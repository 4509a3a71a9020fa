import type { Caller } from '@waymark/domain/access';
import type { Actor } from '@waymark/domain/states';
import type { Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from './live-events.js';
import type { PushIn } from './push.js';
import { type WatchedVersion, watchesText } from './watched-version.js';

/** Whom a socket speaks for; fixed for as long as it lives. */
export interface Viewer {
  readonly actor: Actor;
  readonly userId: string;
  readonly caller: Caller;
  /** A list such as Accept-Language: in which language texts are pushed (X2). */
  readonly languages?: string;
  /** The address that the requests of the socket count for. */
  readonly address: string;
}

/**
 * Bytes that may wait beside a snapshot for a client that does not read; then it is dropped, and
 * catches up when it returns (L7).
 */
const MOST_BUFFERED_BYTES = 1024 * 1024;

interface Connection {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { bufferedAmount: number; terminate(): void } };
  write(text: string): unknown;
  close(discard: boolean): void;
}

/**
 * What is used of a connection of engine.io to end it; the transport's own socket is a WebSocket of
 * `ws`.
 */
interface ClosableConnection {
  readonly transport: { readonly socket?: { terminate(): void } };
  close(discard: boolean): void;
}

/** One socket with its watches. */
export class Watcher {
  /** What it watches; few enough to look through. */
  readonly watched: WatchedVersion[] = [];
  /** Watches that wait for the database; each returns whether it answers now. */
  readonly retries: (() => Promise<boolean>)[] = [];
  /** The socket has left; what is still under way for it is in vain. */
  isGone = false;
  /**
   * A returning socket restores its watches: the client gets their list once at the end, not after
   * each.
   */
  isReturning = false;
  /** Bytes of the largest snapshot so far, which may take a slow client a while. */
  private snapshotBytes = 0;

  constructor(
    readonly viewer: Viewer,
    private readonly socket: Socket<ClientEvents, ServerEvents>,
    private readonly onDropped: () => void,
  ) {}

  get id(): string {
    return this.socket.id;
  }

  /**
   * Sends, unless too much waits already: what is dropped here is sent as a snapshot after the
   * reconnect.
   */
  send<Event extends keyof ServerEvents>(
    event: Event,
    ...payload: Parameters<ServerEvents[Event]>
  ): void {
    if (this.keepsUp()) this.socket.emit(event, ...payload);
  }

  /** `blocks` before `flow` (L5). */
  sendPush(push: PushIn): void {
    const { blocks, flow } = push(this.viewer.languages);
    if (this.keepsUp()) this.write('blocks', blocks);
    if (this.keepsUp()) this.write('flow', flow);
  }

  /**
   * Sends a snapshot of any size and returns that size; the next push has to wait while the client
   * `isBehind` (L4).
   */
  sendSnapshot(push: PushIn): number {
    const { blocks, flow } = push(this.viewer.languages);
    const bytes = blocks.length + flow.length;
    this.write('blocks', blocks);
    this.write('flow', flow);
    this.snapshotBytes = Math.max(this.snapshotBytes, bytes);
    return bytes;
  }

  /** Much waits already for the client to read it. */
  get isBehind(): boolean {
    return this.bufferedBytes() > MOST_BUFFERED_BYTES;
  }

  /** Whether the client reads quickly enough; one that does not is dropped. */
  private keepsUp(): boolean {
    const keepsUp = this.bufferedBytes() <= MOST_BUFFERED_BYTES + this.snapshotBytes;
    if (!keepsUp) {
      this.onDropped();
      this.connection.transport.socket?.terminate();
    }
    return keepsUp;
  }

  /**
   * An event as socket.io would write it, which takes objects only, and looks through all of them.
   */
  private write(event: 'blocks' | 'flow', json: string): void {
    this.connection.write(`2${this.socket.nsp.name},["${event}",${json}]`);
  }

  private bufferedBytes(): number {
    const { writeBuffer, transport } = this.connection;
    const inKernelQueue = transport.socket?.bufferedAmount ?? 0;
    return writeBuffer.reduce(
      (sum, { data }) => sum + (typeof data === 'string' ? data.length : 0),
      inKernelQueue,
    );
  }

  private get connection(): Connection {
    return this.socket.conn as unknown as Connection;
  }

  /**
   * An `error` takes the place of the watches as the text that the client will bring back, so they
   * follow it (L7).
   */
  sendError(text: string): void {
    this.send('error', text);
    if (this.watched.length > 0) this.sendWatches();
  }

  sendWatches(): void {
    this.send('watching', watchesText(this.watched));
  }

  /** Of a client that requests too much. */
  cutOff(): void {
    cutOff(this.connection);
  }

  /** Closes the transport, not the namespace: clients come back by themselves (L7). */
  close(): void {
    this.socket.conn.close();
  }
}

/**
 * Ends the connection of a client that sends or requests too much (R13); an honest one comes back
 * by itself.
 */
export function cutOff(connection: ClosableConnection): void {
  const { socket } = connection.transport;
  // Closed first: frames that were read already are ignored then; the transport itself ends a
  // little later.
  connection.close(true);
  socket?.terminate();
}
