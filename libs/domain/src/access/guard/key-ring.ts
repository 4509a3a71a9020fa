import type { Database } from '../../database/database.js';
import type { ReferenceWatch } from '../../database/reference-watch.js';
import { defineStatement } from '../../database/statement.js';
import { DomainError } from '../../database/errors/index.js';
import { type KeyKind, hashKeyText, looksLikeKey } from '../keys/api-key.js';
import {
  type EnvironmentRow,
  type RingEnvironment,
  ringEnvironment,
  SignerKeys,
  type SignerRow,
} from '../user-tokens/ring-environment.js';
import type { UserToken } from '../user-tokens/user-token.js';

const LOAD_KEYS = defineStatement(
  'load_api_keys',
  `SELECT k.id, k.environment_id, e.name AS environment, e.verification, k.kind, k.hash, k.secret IS NULL AS is_secret,
          k.revoked_at IS NOT NULL AS revoked, (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS expires_in_ms
     FROM api_keys k JOIN environments e ON e.id = k.environment_id`,
);
const LOAD_SIGNERS = defineStatement(
  'load_signers',
  'SELECT id, environment_id, name, public_key FROM signers',
);

interface KeyRow extends EnvironmentRow {
  id: string;
  kind: KeyKind;
  hash: Buffer;
  is_secret: boolean;
  revoked: boolean;
  expires_in_ms: number | null;
}

/**
 * Whom a request or a socket speaks for, as its key says: everything of the environment that the
 * service offers.
 */
export interface Caller {
  readonly environmentId: string;
  readonly keyId: string;
  /** False for a blocks key that pages carry: every visitor of the page can read it. */
  readonly isSecret: boolean;
  /**
   * The token behind the key; absent where none is looked at, or where a bad one is only counted
   * (V5).
   */
  readonly token?: UserToken;
}

/** A key that is in the database, good or not. */
export interface RingKey {
  readonly caller: Caller;
  readonly environment: RingEnvironment;
  readonly kind: KeyKind;
  readonly revoked: boolean;
  /** On this process's monotonic clock, so that clocks of machines need not agree. */
  readonly expiresAt: number;
}

/**
 * Shortest time between two loads that unknown keys cause: a flood of them costs ten small
 * statements a second.
 */
const PAUSE_MS = 100;
const RETRY_MS = 400;

/**
 * All keys in memory, revoked ones too, with what is to be known of their environments. A key it
 * does not know makes it look again, so a new key works at once; a revoked one is refused within a
 * second, and within a second signers and modes are those of the database (`ReferenceWatch`). While
 * the database is away everything stays as it is.
 */
export class KeyRing {
  private byHash = new Map<string, RingKey>();
  private byId = new Map<string, RingKey>();
  private readonly signers = new SignerKeys();
  private loading: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private loadedAt = -Infinity;

  /** `onUse` is called with the id of a key whenever it is accepted. */
  constructor(
    private readonly database: Database,
    private readonly onUse: (keyId: string) => void = () => undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Reloads after each change that the watch reports; a load that fails is tried again. */
  follow(watch: ReferenceWatch): void {
    const refresh = (): void =>
      void this.refresh().catch(() => setTimeout(refresh, RETRY_MS).unref());
    watch.onChange('api-keys', refresh);
  }

  /** A key that is known and good; without looking into the database. */
  find(key: string | undefined, kind: KeyKind): RingKey | undefined {
    const known = this.findKnown(key);
    return known?.kind === kind ? this.open(known) : undefined;
  }

  /**
   * A good key of that kind. Missing, unknown, revoked, expired and wrong-kind keys are all refused
   * with `key.refused` (W1); `database.unavailable` when the key is new to the ring and the
   * database is away.
   */
  async authenticate(key: string | undefined, kind: KeyKind): Promise<RingKey> {
    if (key !== undefined && looksLikeKey(key, kind) && !this.findKnown(key)) await this.refresh();
    const found = this.find(key, kind);
    if (found) return found;
    throw new DomainError(
      'key.refused',
      `the x-api-key header has to carry a valid ${kind} key, one that begins with "${kind}-"`,
    );
  }

  /** The key of that id while it is neither revoked nor expired. */
  findOpen(keyId: string): RingKey | undefined {
    const known = this.byId.get(keyId);
    return known && this.open(known);
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
    const [rows, signers] = await Promise.all([
      this.database.run<KeyRow>(LOAD_KEYS, []),
      this.database.run<SignerRow>(LOAD_SIGNERS, []),
    ]);
    const signersOf = this.signers.update(signers);
    const environments = new Map(
      rows.map((row) => [row.environment_id, ringEnvironment(row, signersOf)]),
    );
    const keys = rows.map(
      (row) => [row.hash, this.ringKey(row, environments.get(row.environment_id)!)] as const,
    );
    this.byHash = new Map(keys.map(([hash, key]) => [hash.toString('base64'), key]));
    this.byId = new Map(keys.map(([, key]) => [key.caller.keyId, key]));
  }

  private ringKey(row: KeyRow, environment: RingEnvironment): RingKey {
    return {
      caller: Object.freeze({
        environmentId: row.environment_id,
        keyId: row.id,
        isSecret: row.is_secret,
      }),
      environment,
      kind: row.kind,
      revoked: row.revoked,
      expiresAt: row.expires_in_ms === null ? Infinity : this.now() + row.expires_in_ms,
    };
  }

  private findKnown(key: string | undefined): RingKey | undefined {
    return key === undefined ? undefined : this.byHash.get(hashKeyText(key));
  }

  private open(key: RingKey): RingKey | undefined {
    if (key.revoked || key.expiresAt <= this.now()) return undefined;
    this.onUse(key.caller.keyId);
    return key;
  }
}
