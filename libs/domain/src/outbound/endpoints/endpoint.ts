import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Environment } from '../../access/environment/environment.js';
import type { EventType, PublicEvent } from '../../events/reader/public-event.js';

/** How events are written for a receiver (E7). */
export const ENDPOINT_FORMATS = ['standard', 'segment'] as const;
export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];

/**
 * Where the events of an environment are sent (E6). Its position in the log is in
 * `EndpointProgress`.
 */
@Entity('endpoints')
@Index('endpoints_name', ['environmentId', 'name'], { unique: true })
export class Endpoint {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'environment_id' })
  @ForeignKey(() => Environment, { name: 'endpoints_environment_id_fkey' })
  environmentId: string;

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

  /** Whether events of version 0 are delivered too. */
  @Column('boolean', { default: false })
  drafts: boolean;

  /** Earlier events are not delivered. */
  @Column('timestamptz', { nullable: true })
  since: Date | null;

  /** Signs what is sent in the format `standard`; null in others (E7). */
  @Column('text', { nullable: true })
  secret: string | null;

  /** Signs too, until then, so that receivers can be given the new one. */
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

/** An event that the receiver refused for good; it goes when its user goes (E8). */
@Entity('endpoint_failures')
@Index('endpoint_failures_by_user', ['userId'])
export class EndpointFailure {
  @PrimaryColumn('uuid', { name: 'endpoint_id' })
  @ForeignKey(() => Endpoint, { name: 'endpoint_failures_endpoint_id_fkey', onDelete: 'CASCADE' })
  endpointId: string;

  @PrimaryColumn('uuid', { name: 'event_id' })
  eventId: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('jsonb')
  event: PublicEvent;

  @Column('text')
  error: string;

  @CreateDateColumn({ name: 'failed_at', type: 'timestamptz' })
  failedAt: Date;
}
