import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Environment } from '../environment/environment.js';

/** Which of the two services a key opens (W1). */
export const KEY_KINDS = ['users', 'blocks'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** A key of one environment and one kind. Only its hash opens anything; a public key can be shown again. */
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
}
