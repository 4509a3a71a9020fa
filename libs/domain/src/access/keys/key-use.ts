import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';

/** To the minute, so that of many replicas one writes and the others find it written. */
const NOTE_USE = defineStatement(
  'note_key_use',
  `UPDATE api_keys SET last_used_at = date_trunc('minute', now())
     WHERE id = ANY ($1::uuid[]) AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', now()))`,
);

const NOTE_BROWSER = defineStatement(
  'note_key_in_browser',
  `UPDATE api_keys SET seen_in_browser_at = date_trunc('minute', now())
     WHERE id = ANY ($1::uuid[]) AND (seen_in_browser_at IS NULL OR seen_in_browser_at < date_trunc('minute', now()))`,
);

const INTERVAL_MS = 60_000;

/**
 * Which keys were used, written down once a minute: no request waits for it, or causes a statement.
 */
export class KeyUse {
  private used = new Set<string>();
  private inBrowser = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  note(keyId: string): void {
    this.used.add(keyId);
  }

  /** A secret key came from a web page. */
  noteBrowser(keyId: string): void {
    this.inBrowser.add(keyId);
  }

  start(): void {
    this.timer ??= setInterval(() => void this.write().catch(() => undefined), INTERVAL_MS).unref();
  }

  /** Writes down what it knows, as far as the database can be reached. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.write().catch(() => undefined);
  }

  /**
   * One statement for each kind of note, and none where there is none. What could not be written is
   * kept for the next time.
   */
  async write(): Promise<void> {
    const [used, inBrowser] = [this.used, this.inBrowser];
    this.used = new Set();
    this.inBrowser = new Set();
    try {
      if (used.size > 0) await this.database.run(NOTE_USE, [[...used]]);
      if (inBrowser.size > 0) await this.database.run(NOTE_BROWSER, [[...inBrowser]]);
    } catch (error) {
      for (const id of used) this.used.add(id);
      for (const id of inBrowser) this.inBrowser.add(id);
      throw error;
    }
  }
}
