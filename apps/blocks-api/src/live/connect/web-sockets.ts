import { type ServerOptions, WebSocketServer } from 'ws';

/** Frames that one message may come in; browsers send one. */
const MOST_FRAGMENTS = 16;

/** What socket.io takes its WebSockets from. Pings are answered by `FrameCheck`, which counts them (R13). */
export class LiveWebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, autoPong: false, maxFragments: MOST_FRAGMENTS } as ServerOptions);
  }
}
