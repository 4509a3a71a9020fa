import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Environment } from '../../environments/environment/environment.js';
import type { EventType } from '../following/public-event.js';

/** How events are written for a receiver (E7). */
export const ENDPOINT_FORMATS = ['standard', 'segment'] as const;
export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];

/** Where the events of an environment are sent (E6). How far it has come is in its `EndpointProgress`. */
@Entity('endpoints')
@Index('endpoints_name', ['environmentId', 'name'], { unique: true })
export class Endpoint {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'environment_id' })
  environmentId: string;

  @ManyToOne(() => Environment, { nullable: false })
  @JoinColumn({ name: 'environment_id', foreignKeyConstraintName: 'endpoints_environment_id_fkey' })
  environment?: Relation<Environment>;

  @Column('varchar', { length: 128 })
  name: string;

  @Column('text')
  url: string;

  @Column('varchar', { length: 16 })
  format: EndpointFormat;

  /** Only these flows; all of them where there are none. */
  @Column('text', { array: true, default: () => "'{}'" })
  flows: string[];

  /** Only events of these types; all of them where there are none. */
  @Column('text', { array: true, default: () => "'{}'" })
  types: EventType[];

  @Column('jsonb', { default: () => "'[]'" })
  headers: { name: string; value: string }[];

  /** Whether version 0 is told too. */
  @Column('boolean', { default: false })
  drafts: boolean;

  /** Nothing that happened before is told. */
  @Column('timestamptz', { nullable: true })
  since: Date | null;

  /** Signs what is sent in the format `standard`; null in others (E7). */
  @Column('text', { nullable: true })
  secret: string | null;

  /** Signs too, until then: receivers get to know the new one meanwhile. */
  @Column('text', { name: 'previous_secret', nullable: true })
  previousSecret: string | null;

  @Column('timestamptz', { name: 'previous_secret_until', nullable: true })
  previousSecretUntil: Date | null;

  /** Null while it delivers. */
  @Column('timestamptz', { name: 'paused_at', nullable: true })
  pausedAt: Date | null;

  /** Null where the operator paused it. */
  @Column('text', { name: 'pause_reason', nullable: true })
  pauseReason: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
