import pg from 'pg';
import { AnnouncementBatcher } from './announcement-batcher.js';
import { LiveBus } from './live-bus.js';

interface PostgresBusSettings {
  /**
   * `postgres://…` of a server, or of a pooler in session mode: a pooler in transaction mode loses
   * LISTEN.
   */
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Called when the connection is lost, and when it cannot be made; for the log. */
  onTrouble?: (error: Error) => void;
}

const CHANNEL = 'waymark_states';
/**
 * An announcement that is lost with the server is found by its revision: a commit need not wait for
 * the disk. The setting ends with the statement, since behind a pooler the next one on this
 * connection may belong to another client.
 */
export const NOTIFY = `SELECT pg_notify('${CHANNEL}', payload)
  FROM unnest($1::text[]) AS payload CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS unflushed`;

const ANSWER_MS = 3_000;
const HEARTBEAT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;

/**
 * LISTEN and NOTIFY on one connection of its own: NOTIFY takes a lock of the whole server at its
 * commit, so it never rides in the transaction of a command, and a broken connection costs no
 * request anything.
 */
export class PostgresBus extends LiveBus {
  private client: pg.Client | undefined;
  protected override readonly batcher: AnnouncementBatcher;
  private heartbeat: NodeJS.Timeout | undefined;
  private reconnecting: NodeJS.Timeout | undefined;
  private failures = 0;
  private isClosed = false;

  constructor(private readonly settings: PostgresBusSettings) {
    super();
    const send = (payloads: string[]) =>
      this.query({ name: 'announce_states', text: NOTIFY, values: [payloads] });
    this.batcher = new AnnouncementBatcher(
      send,
      () => this.isConnected,
      () => undefined,
    );
  }

  override get isConnected(): boolean {
    return this.client !== undefined;
  }

  override start(): void {
    void this.connect();
    // A dead connection reports nothing: it is detected by an answer that does not come.
    this.heartbeat = setInterval(
      () => void this.query({ text: 'SELECT' }).catch(() => undefined),
      HEARTBEAT_MS,
    ).unref();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.reconnecting);
    await this.batcher.close();
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { url, applicationName } = this.settings;
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    client.on('error', (error) => this.lose(client, error));
    client.on('end', () => this.lose(client, new Error('the connection of the live bus ended')));
    client.on('notification', (notification) => this.hear(client, notification));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      return this.retry(client, error as Error);
    }
    if (this.isClosed) return void client.end().catch(() => undefined);
    this.client = client;
    this.failures = 0;
    this.restore();
    this.batcher.wake();
  }

  /** Any failure gives the connection up: what was not sent is sent on the next one. */
  private async query(query: pg.QueryConfig): Promise<void> {
    const { client } = this;
    if (!client) throw new Error('the live bus has no connection');
    await client.query(query).catch((error: Error) => {
      this.lose(client, error);
      throw error;
    });
  }

  private hear(client: pg.Client, { processId, payload }: pg.Notification): void {
    const isOwn = processId === (client as unknown as { processID: number | null }).processID;
    if (!isOwn && payload !== undefined) this.receive(payload);
  }

  private lose(client: pg.Client, error: Error): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.retry(client, error);
  }

  private retry(client: pg.Client, error: Error): void {
    void client.end().catch(() => undefined);
    if (this.isClosed) return;
    this.settings.onTrouble?.(error);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, LONGEST_PAUSE_MS);
    this.reconnecting = setTimeout(
      () => void this.connect(),
      pause * (0.5 + Math.random()),
    ).unref();
  }
}
