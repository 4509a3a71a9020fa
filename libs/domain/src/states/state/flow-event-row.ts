import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { FlowEvent } from '../../engine/index.js';
import { StateKey } from './flow-state-row.js';

/**
 * What made a command: reading a flow, a request, a flow trigger, a delay, the operator, or a
 * condition that holds (E5, Z1).
 */
export type EventOrigin = 'read' | 'request' | 'trigger' | 'delay' | 'operator' | 'condition';

/** One accepted change of a state; the events of a state, folded, are the state (S6). */
@Entity('flow_events')
@Index('flow_events_by_place', ['place', 'userId'])
// Of those with an answer alone, which TypeORM cannot write.
@Index('flow_events_with_answers', { synchronize: false })
export class FlowEventRow extends StateKey {
  @PrimaryColumn('integer')
  revision: number;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('jsonb')
  event: FlowEvent;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  /**
   * The transaction that wrote it, by which followers of the log know whether one that began
   * earlier may still come (E1). Events that are older than this column share one place.
   */
  // As TypeORM reads the default back, which takes the casts out.
  @Column('bigint', { default: () => '(((pg_current_xact_id()))+ 0)' })
  place: string;

  /**
   * Group of the causing request; null for none, and for events that are older than this column.
   */
  @Column('text', { name: 'group_identifier', nullable: true })
  groupIdentifier: string | null;

  /** Null for events that are older than this column. */
  @Column('varchar', { length: 16, nullable: true })
  origin: EventOrigin | null;
}

/** What a request can be found by in the logs of everything that took part in it (S19). */
export interface RequestTrace {
  /** The `x-request-id` that it is answered with (W3). */
  readonly requestId: string;
  /** The header of W3C Trace Context, as it came. */
  readonly traceparent?: string;
}
