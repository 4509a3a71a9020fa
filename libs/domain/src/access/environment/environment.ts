import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Whether user tokens behind public keys are ignored, counted or required (V5). */
export const VERIFICATION_MODES = ['off', 'observe', 'required'] as const;
export type VerificationMode = (typeof VERIFICATION_MODES)[number];

/** A separate world of users, groups, keys and states; flows are shared by all (S26). */
@Entity('environments')
export class Environment {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('varchar', { length: 128, unique: true })
  name: string;

  @Column('varchar', { length: 16, default: 'off' })
  verification: VerificationMode;

  /**
   * Whether `latest` is only what is pinned here, so that a commit reaches nobody before it is
   * released (Z10).
   */
  @Column('boolean', { name: 'releases_by_pin', default: false })
  releasesByPin: boolean;

  /** Signs the webhooks of flow files (E9); null in an environment without a secret. */
  @Column('text', { name: 'webhook_secret', nullable: true, select: false })
  webhookSecret: string | null;

  /** Signs too, until then. */
  @Column('text', { name: 'previous_webhook_secret', nullable: true, select: false })
  previousWebhookSecret: string | null;

  @Column('timestamptz', { name: 'previous_webhook_secret_until', nullable: true, select: false })
  previousWebhookSecretUntil: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
