import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a user did something, and when first and last (Z2). */
@Entity('user_events')
export class UserEvent {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('varchar', { length: 128 })
  name: string;

  @Column('bigint')
  count: string;

  @Column('timestamptz', { name: 'first_at', default: () => 'now()' })
  firstAt: Date;

  @Column('timestamptz', { name: 'last_at', default: () => 'now()' })
  lastAt: Date;
}

/**
 * By what the events of a user are counted once and within bounds: one row, written before those of
 * the events (Z2).
 */
@Entity('tracked_users')
@Check('tracked_users_names', 'cardinality(names) <= 200')
export class TrackedUser {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  /** Of all events of the user. */
  @Column('text', { array: true })
  names: string[];

  /** Ids of the last 64 events that had one, the latest last. */
  @Column('text', { name: 'recent_ids', array: true })
  recentIds: string[];

  /** Ids that the last write found to be new, for the rest of its statement. */
  @Column('text', { name: 'counted_ids', array: true })
  countedIds: string[];
}
