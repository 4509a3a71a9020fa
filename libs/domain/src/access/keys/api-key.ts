import { hash, randomBytes } from 'node:crypto';
import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { Environment } from '../environment/environment.js';

/** Which of the two services a key opens (W1). */
export type KeyKind = 'users' | 'blocks';

/**
 * A key of one environment and one kind. Only its hash opens anything; a public key can be shown
 * again.
 */
@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'environment_id' })
  environmentId: string;

  @ManyToOne(() => Environment, { nullable: false })
  @JoinColumn({ name: 'environment_id', foreignKeyConstraintName: 'api_keys_environment_id_fkey' })
  environment?: Relation<Environment>;

  @Column('varchar', { length: 16 })
  kind: KeyKind;

  @Column('varchar', { length: 128, nullable: true })
  name: string | null;

  /** SHA-256 of the whole key. */
  @Column('bytea', { unique: true })
  hash: Buffer;

  /** The key itself where it is public: pages carry it anyway. Null says that it is secret (V1). */
  @Column('text', { name: 'secret', nullable: true })
  readable: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** To the minute, and at most a minute or two late; null while nobody used it (`KeyUse`). */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  /** Of a secret key that came from a web page, to the minute; null while none did (`KeyUse`). */
  @Column('timestamptz', { name: 'seen_in_browser_at', nullable: true })
  seenInBrowserAt: Date | null;
}

/**
 * How secret blocks keys begin; those that were made before there was a prefix begin as public ones
 * do.
 */
const SECRET_BLOCKS_PREFIX = 'blocks-secret-';

/**
 * A fresh key: its kind as prefix, which of blocks keys says whether they are secret, then 32
 * random bytes (W1, V1).
 */
export const generateKey = (kind: KeyKind, isSecret: boolean): string =>
  `${kind === 'blocks' && isSecret ? SECRET_BLOCKS_PREFIX : `${kind}-`}${randomBytes(32).toString('base64url')}`;

/**
 * What is stored and compared of a key: SHA-256, which for 32 random bytes needs neither salt nor
 * stretching.
 */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/**
 * The same in base64, which every request looks up: in one call, as a hash object each would cost
 * four times as much.
 */
export const hashKeyText = (key: string): string => hash('sha256', key, 'base64');

/** Whether the text could be a key of that kind at all. */
export const looksLikeKey = (text: string, kind: KeyKind): boolean =>
  text.startsWith(`${kind}-`) && text.length <= 256;
