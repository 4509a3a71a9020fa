import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { Effect } from '../../engine/index.js';
import type { RequestTrace } from '../../states/state/flow-event-row.js';
import { StateKey } from '../../states/state/flow-state-row.js';

/**
 * An effect to carry out at least once; written in the commit of its event, deleted when done
 * (S19).
 */
@Entity('effects')
// By queue and time: an expression, which TypeORM cannot write.
@Index('effects_due_by_queue', { synchronize: false })
export class EffectRow extends StateKey {
  @PrimaryColumn('integer')
  revision: number;

  /** Place among the effects of one event, from 0. */
  @PrimaryColumn('integer')
  position: number;

  /** The `webhook-id`, stable over retries; a trigger's idempotency key (B11). */
  @Generated('uuid')
  @Column('uuid')
  id: string;

  @Column('jsonb')
  effect: Effect;

  /** Group of the causing request, passed on by triggers. */
  @Column('text', { name: 'group_identifier', nullable: true })
  groupIdentifier: string | null;

  /** Links of the trigger chain that led here, 0 for a client's own request. */
  @Column('integer', { default: 0 })
  chain: number;

  /** Null where no request is known, and for effects that are older than this column. */
  @Column('jsonb', { nullable: true })
  trace: RequestTrace | null;

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamptz', { name: 'next_attempt_at', default: () => 'now()' })
  nextAttemptAt: Date;

  @Column('timestamptz', { name: 'failed_at', nullable: true })
  failedAt: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
