import type { BlockView, FlowView } from '@waymark/domain/states';
import { io, type Socket } from 'socket.io-client';

export interface LiveClientOptions {
  url: string;
  key: string;
  user: string;
  group?: string;
  /** In the query of the handshake. */
  language?: string;
  headers?: Record<string, string>;
  /** What the real client does by itself is quicker here. */
  reconnectionDelay?: number;
  auth?: Record<string, unknown>;
}

interface Payloads {
  ready: undefined;
  blocks: Record<string, BlockView>;
  flow: FlowView;
  error: string;
  watching: string;
  connect_error: Error;
  disconnect: string;
}
type EventName = keyof Payloads;

/**
 * Long enough for any machine, and shorter than the time limit of a test, which would not say what
 * was received.
 */
const PATIENCE_MS = 90_000;

/** A socket.io client as the SDKs set it up, that remembers what it received, in order. */
export class LiveClient {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly told: { event: EventName; payload: unknown }[] = [];
  private readonly unread = new Map<EventName, unknown[]>();
  private readonly waiting = new Map<EventName, ((payload: unknown) => void)[]>();

  constructor(options: LiveClientOptions) {
    const { url, key, user, group, language, headers, auth, reconnectionDelay = 50 } = options;
    const query = `?endUserIdentifier=${user}${group ? `&groupIdentifier=${group}` : ''}${language ? `&language=${language}` : ''}`;
    this.socket = io(`${url}/v2/client${query}`, {
      path: '/v2/socket/',
      transports: ['websocket'],
      auth: auth ?? { 'x-api-key': key },
      ...(headers && { extraHeaders: headers }),
      forceNew: true,
      reconnectionDelay,
      reconnectionDelayMax: reconnectionDelay * 2,
    });
    const events: EventName[] = [
      'ready',
      'blocks',
      'flow',
      'error',
      'watching',
      'connect_error',
      'disconnect',
    ];
    for (const event of events)
      this.socket.on(event, (payload: unknown) => this.receive(event, payload));
  }

  /** The next of these events that nobody has read yet. */
  async next<Event extends EventName>(event: Event): Promise<Payloads[Event]> {
    const unread = this.unread.get(event) ?? [];
    if (unread.length > 0) return unread.shift() as Payloads[Event];
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`no ${event} came; told so far: ${this.summary()}`)),
        PATIENCE_MS,
      ).unref();
      const waiting = this.waiting.get(event) ?? [];
      this.waiting.set(event, [
        ...waiting,
        (payload) => {
          clearTimeout(late);
          resolve(payload as Payloads[Event]);
        },
      ]);
    });
  }

  /** The next blocks, followed by the next flow. */
  async nextPush(): Promise<{ blocks: Record<string, BlockView>; flow: FlowView }> {
    const blocks = await this.next('blocks');
    return { blocks, flow: await this.next('flow') };
  }

  /** Watches and has the snapshot. */
  async watch(flow: string, version: number | string = 1) {
    this.socket.emit('watch:flow', flow, version);
    return this.nextPush();
  }

  /** Reads pushes until what was shown last of the block fulfils the condition. */
  async until(uid: string, condition: (block: BlockView) => boolean): Promise<BlockView> {
    for (;;) {
      const { blocks } = await this.nextPush();
      const block = blocks[uid];
      if (block && condition(block)) return block;
    }
  }

  /** Loses the connection as a broken network does; it comes back by itself. */
  cut(): void {
    this.socket.io.engine.close();
  }

  /** The names of all events received, in order. */
  events(): EventName[] {
    return this.told.map(({ event }) => event);
  }

  close(): void {
    this.socket.close();
  }

  private receive(event: EventName, payload: unknown): void {
    this.told.push({ event, payload });
    const [first, ...rest] = this.waiting.get(event) ?? [];
    this.waiting.set(event, rest);
    if (first) first(payload);
    else this.unread.set(event, [...(this.unread.get(event) ?? []), payload]);
  }

  private summary(): string {
    return this.told
      .map(({ event, payload }) => `${event} ${payload instanceof Error ? payload.message : ''}`)
      .join(', ');
  }
}
