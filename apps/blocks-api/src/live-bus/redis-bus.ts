import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AnnouncementBatcher, LiveBus } from '@waymark/domain/states';
import { Redis } from 'ioredis';

interface RedisBusSettings {
  /** `redis://…` */
  url: string;
  /** Called when a connection is lost; for the log. */
  onTrouble: (error: Error) => void;
}

const STREAM = 'waymark:states';
/**
 * About how many entries the stream keeps: enough for a replica to catch up after a short loss of
 * its connection.
 */
const KEPT = 10_000;
const BLOCK_MS = 5_000;
const LONGEST_PAUSE_MS = 3_000;

type Entry = [id: string, fields: string[]];

/**
 * A Redis stream: one connection writes, one waits for what others wrote. Needs Redis 6.2 or later.
 * The operator's command announces by PostgreSQL, so this subscribes to that bus too.
 */
export class RedisBus extends LiveBus {
  private readonly origin = randomUUID();
  protected override readonly batcher: AnnouncementBatcher;
  private readonly writer: Redis;
  private readonly reader: Redis;
  private isClosed = false;

  constructor(
    private readonly settings: RedisBusSettings,
    private readonly heard: LiveBus,
  ) {
    super();
    heard.subscribe((announcements) => this.emit(announcements));
    heard.onRestored(() => this.restore());
    this.writer = this.connection();
    this.reader = this.connection();
    this.batcher = new AnnouncementBatcher(
      (payloads) => Promise.all(payloads.map((payload) => this.write(payload))),
      () => this.writer.status === 'ready',
      settings.onTrouble,
    );
  }

  override get isConnected(): boolean {
    return this.reader.status === 'ready' && this.heard.isConnected;
  }

  override start(): void {
    this.heard.start();
    for (const connection of [this.writer, this.reader])
      void connection.connect().catch(() => undefined);
    this.writer.on('ready', () => this.batcher.wake());
    void this.readAll();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await this.batcher.close();
    this.reader.disconnect();
    this.writer.disconnect();
    await this.heard.close();
  }

  private connection(): Redis {
    const connection = new Redis(this.settings.url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: null,
      commandTimeout: 2 * BLOCK_MS,
      retryStrategy: (times) =>
        Math.min(100 * 2 ** times, LONGEST_PAUSE_MS) * (0.5 + Math.random()),
    });
    connection.on('error', this.settings.onTrouble);
    return connection;
  }

  /** Reads on where it stopped; after a failure some entries may be gone from the stream. */
  private async readAll(): Promise<void> {
    let last: string | undefined;
    while (!this.isClosed) {
      try {
        if (last === undefined || this.reader.status !== 'ready') {
          await isReady(this.reader);
          last ??= await this.lastId();
          this.restore();
        }
        const entries = await this.readFrom(last);
        for (const [, fields] of entries) this.hear(fields);
        last = entries.at(-1)?.[0] ?? last;
      } catch (error) {
        if (!this.isClosed) this.settings.onTrouble(error as Error);
        await pause(200);
      }
    }
  }

  private async lastId(): Promise<string> {
    const [newest] = await this.reader.xrevrange(STREAM, '+', '-', 'COUNT', 1);
    return newest?.[0] ?? '0';
  }

  private async readFrom(last: string): Promise<Entry[]> {
    const streams = (await this.reader.xread(
      'COUNT',
      500,
      'BLOCK',
      BLOCK_MS,
      'STREAMS',
      STREAM,
      last,
    )) as [stream: string, entries: Entry[]][] | null;
    return streams?.[0]?.[1] ?? [];
  }

  private write(payload: string): Promise<unknown> {
    return this.writer.xadd(
      STREAM,
      'MAXLEN',
      '~',
      KEPT,
      '*',
      'from',
      this.origin,
      'states',
      payload,
    );
  }

  private hear([, origin, , payload]: string[]): void {
    if (origin !== this.origin) this.receive(payload ?? '');
  }
}

const isReady = (connection: Redis): Promise<void> =>
  connection.status === 'ready'
    ? Promise.resolve()
    : new Promise((resolve) => connection.once('ready', resolve));
