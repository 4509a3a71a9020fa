import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FlowEvent } from '../engine/index.js';

/** One accepted change of a state; the events of a state, folded, are the state (S6). */
@Entity('flow_events')
export class FlowEventRow {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('varchar', { length: 128 })
  flow: string;

  @PrimaryColumn('integer')
  version: number;

  @PrimaryColumn('integer')
  revision: number;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('jsonb')
  event: FlowEvent;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;
}
