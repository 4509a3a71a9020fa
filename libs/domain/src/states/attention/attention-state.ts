import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What happened to one user in one group of flows; empty means the same as none (Q4). */
@Entity('attention_states')
export class AttentionState {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('varchar', { length: 128 })
  group: string;

  /** Raised by each write. */
  @Column('integer', { default: 0 })
  revision: number;

  /** Flows in progress with the version in which they are. */
  @Column('jsonb', { default: {} })
  places: Record<string, number>;

  /** When flows were started, as milliseconds, oldest first. */
  @Column('jsonb', { default: [] })
  starts: number[];

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
