import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '@waymark/service-kit/limits';
import { cutOff } from '../push/watcher.js';

/** What is used of a connection of engine.io to see what comes in on it. */
export interface FrameSource {
  readonly request: IncomingMessage;
  readonly transport: { readonly socket?: ControlledSocket };
  on(event: 'packet', listener: (packet: { data?: unknown }) => void): unknown;
  close(discard: boolean): void;
}
/** The WebSocket of `ws` below it. */
interface ControlledSocket {
  on(event: 'ping', listener: (data: Buffer) => void): unknown;
  pong(data: Buffer): void;
  terminate(): void;
}

/** No browser sends pings, and each wants an answer: one counts as much as a request. */
const FRAMES_OF_PING = 10;

/** How socket.io begins a packet that asks to be let into a namespace. */
const CONNECT = '0';

/**
 * Cuts connections that send more than their address may (R13). Every frame is work, whatever is in
 * it and from any sender it: events that nobody knows, pings that want an answer, pieces of a frame
 * that never ends.
 */
@Injectable()
export class FrameCheck {
  constructor(private readonly limiter: RateLimiter) {}

  watch(connection: FrameSource, address: string): void {
    const { socket } = connection.transport;
    let [hasAsked, isCut] = [false, false];
    const cut = (): void => {
      isCut = true;
      cutOff(connection);
    };
    const count = (frames: number): void => {
      if (!isCut && !this.limiter.takeFrames(address, frames)) cut();
    };
    connection.on('packet', ({ data }) => {
      count(1);
      if (typeof data !== 'string' || !data.startsWith(CONNECT)) return;
      // To be let in takes a look at a key. Who was refused comes back on a new connection, which
      // is counted.
      if (hasAsked) cut();
      hasAsked = true;
    });
    socket?.on('ping', (data) => {
      count(FRAMES_OF_PING);
      if (!isCut) socket.pong(data);
    });
    connection.request.socket.on('data', ({ length }: Buffer) => {
      // Of one that was cut as well: all frames that came with the last are read to their end.
      this.limiter.chargeFrames(address, length);
      count(0);
    });
  }
}
