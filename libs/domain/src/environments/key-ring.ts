import type { Database } from '../database/database.js';
import type { ReferenceWatch } from '../database/reference-watch.js';
import { defineStatement } from '../database/statement.js';
import { DomainError } from '../errors/index.js';
import type { KeyKind } from './api-key.js';
import type { Caller } from './caller.js';
import { hashKeyText, looksLikeKey } from './key-format.js';

const LOAD_KEYS = defineStatement(
  'load_api_keys',
  `SELECT id, environment_id, kind, hash, secret IS NULL AS is_secret, revoked_at IS NOT NULL AS revoked,
          (extract(epoch FROM expires_at - now()) * 1000)::float8 AS expires_in_ms
     FROM api_keys`,
);

interface KeyRow {
  id: string;
  environment_id: string;
  kind: KeyKind;
  hash: Buffer;
  is_secret: boolean;
  revoked: boolean;
  expires_in_ms: number | null;
}

interface RingKey {
  caller: Caller;
  kind: KeyKind;
  revoked: boolean;
  /** On this process's monotonic clock, so that clocks of machines need not agree. */
  expiresAt: number;
}

/** Shortest time between two loads that unknown keys cause: a flood of them costs ten small statements a second. */
const PAUSE_MS = 100;
const RETRY_MS = 400;

/**
 * All keys in memory, revoked ones too. A key it does not know makes it look again, so a new key works at once; a
 * revoked one is refused within a second (`ReferenceWatch`). While the database is away the keys stay as they are.
 */
export class KeyRing {
  private byHash = new Map<string, RingKey>();
  private byId = new Map<string, RingKey>();
  private loading: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private loadedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Follows the changes that the watch tells of, for ever: a load that fails is tried again. */
  follow(watch: ReferenceWatch): void {
    const refresh = (): void => void this.refresh().catch(() => setTimeout(refresh, RETRY_MS).unref());
    watch.onChange('api-keys', refresh);
  }

  /** The caller of a key that is known and good; without looking into the database. */
  find(key: string | undefined, kind: KeyKind): Caller | undefined {
    const known = this.findKnown(key);
    return known?.kind === kind && this.isGood(known) ? known.caller : undefined;
  }

  /**
   * The caller of a good key of that kind. Missing, unknown, revoked, expired and wrong-kind keys are refused alike
   * with `key.refused` (W1); `database.unavailable` when the key is new to the ring and the database is away.
   */
  async authenticate(key: string | undefined, kind: KeyKind): Promise<Caller> {
    if (key !== undefined && looksLikeKey(key, kind) && !this.findKnown(key)) await this.refresh();
    const caller = this.find(key, kind);
    if (caller) return caller;
    throw new DomainError(
      'key.refused',
      `the x-api-key header has to carry a valid ${kind} key, one that begins with "${kind}-"`,
    );
  }

  /** Whether the key is neither revoked nor expired by now. */
  isOpen(keyId: string): boolean {
    const known = this.byId.get(keyId);
    return known !== undefined && this.isGood(known);
  }

  /** Loads all keys, by a load that begins after this call; calls in the meantime share it. */
  refresh(): Promise<void> {
    this.next ??= this.pause().then(() => {
      this.next = undefined;
      return (this.loading = this.load());
    });
    return this.next;
  }

  private async pause(): Promise<void> {
    await this.loading.catch(() => undefined);
    const rest = this.loadedAt + PAUSE_MS - this.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }

  private async load(): Promise<void> {
    this.loadedAt = this.now();
    const rows = await this.database.run<KeyRow>(LOAD_KEYS, []);
    const keys = rows.map((row) => ({ hash: row.hash.toString('base64'), id: row.id, key: this.ringKey(row) }));
    this.byHash = new Map(keys.map(({ hash, key }) => [hash, key]));
    this.byId = new Map(keys.map(({ id, key }) => [id, key]));
  }

  private ringKey(row: KeyRow): RingKey {
    return {
      caller: Object.freeze({ environmentId: row.environment_id, keyId: row.id, isSecret: row.is_secret }),
      kind: row.kind,
      revoked: row.revoked,
      expiresAt: row.expires_in_ms === null ? Infinity : this.now() + row.expires_in_ms,
    };
  }

  private findKnown(key: string | undefined): RingKey | undefined {
    return key === undefined ? undefined : this.byHash.get(hashKeyText(key));
  }

  private isGood(key: RingKey): boolean {
    return !key.revoked && key.expiresAt > this.now();
  }
}
