import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { FlowState } from '../../engine/index.js';

/**
 * The key of a state: a user in one version of one flow (S5). What belongs to it begins with the
 * same columns.
 */
export abstract class StateKey {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('varchar', { length: 128 })
  flow: string;

  @PrimaryColumn('integer')
  version: number;
}

/** Where one user is in one version of one flow: one row, one lock, one read (S5). */
@Entity('flow_states')
@Index('flow_states_by_flow', ['flow', 'version', 'userId'])
export class FlowStateRow extends StateKey {
  /** Raised by one with every command that takes effect (S6). */
  @Column('integer')
  revision: number;

  /** Edition of the definition this state was last written under (S27). */
  @Column('integer')
  edition: number;

  @Column('jsonb')
  state: FlowState;

  /**
   * Idempotency keys of the last 32 accepted commands, oldest first, empty where a command had none
   * (B11).
   */
  @Column('text', { name: 'recent_keys', array: true, default: () => "'{}'" })
  recentKeys: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
