import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Endpoint } from './endpoint.js';

/**
 * What is known of a window that could not be settled at once: the events behind the position that
 * are done already.
 */
export interface UnfinishedWindow {
  /** Ids of events that were delivered or set aside. */
  readonly settled: readonly string[];
  /**
   * Events that the receiver refused, by id: how often, and from when on they may be tried again,
   * in milliseconds of 1970.
   */
  readonly refused: Readonly<Record<string, { readonly tries: number; readonly nextAt: number }>>;
}

/**
 * The position of an endpoint in the log, and which process delivers for it: it moves only when
 * every event up to it is settled, by the process that holds the lease (E8).
 */
@Entity('endpoint_progress')
export class EndpointProgress {
  @PrimaryColumn('uuid', { name: 'endpoint_id' })
  @ForeignKey(() => Endpoint, { name: 'endpoint_progress_endpoint_id_fkey', onDelete: 'CASCADE' })
  endpointId: string;

  /** Everything up to this step is settled. */
  @Column('bigint')
  place: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('varchar', { length: 128 })
  flow: string;

  @Column('integer')
  version: number;

  @Column('integer')
  revision: number;

  @Column('jsonb', { name: 'open_window', nullable: true })
  openWindow: UnfinishedWindow | null;

  /** Of the process that delivers just now. */
  @Column('uuid', { name: 'lease_token', nullable: true })
  leaseToken: string | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('timestamptz', { name: 'next_attempt_at', default: () => 'now()' })
  nextAttemptAt: Date;

  /** Attempts in a row after which the endpoint was down. */
  @Column('integer', { name: 'downs', default: 0 })
  downs: number;

  /** Events in a row that were set aside. */
  @Column('integer', { name: 'set_aside_in_a_row', default: 0 })
  setAsideInARow: number;

  /**
   * When the first event happened that waits to be delivered, as far as it was looked; null where
   * none waits.
   */
  @Column('timestamptz', { name: 'waiting_since', nullable: true })
  waitingSince: Date | null;

  @Column('timestamptz', { name: 'last_success_at', nullable: true })
  lastSuccessAt: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;
}
