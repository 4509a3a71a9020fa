import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Endpoint } from './endpoint.js';
import type { PublicEvent } from '../following/public-event.js';

/** An event that the receiver refused for good; it goes when its user goes (E8). */
@Entity('endpoint_failures')
@Index('endpoint_failures_by_user', ['userId'])
export class EndpointFailure {
  @PrimaryColumn('uuid', { name: 'endpoint_id' })
  endpointId: string;

  @ManyToOne(() => Endpoint, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id', foreignKeyConstraintName: 'endpoint_failures_endpoint_id_fkey' })
  endpoint?: Relation<Endpoint>;

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
