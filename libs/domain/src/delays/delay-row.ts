import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { StateKey, type RequestTrace } from '../states/index.js';

/** A delay to look at once it is due, written in the commit of the state in which it waits (Z4). */
@Entity('delays')
@Index('delays_due', ['dueAt'])
export class DelayRow extends StateKey {
  /** Its uid. */
  @PrimaryColumn('varchar', { length: 128 })
  block: string;

  /** Of the state that wrote it: one that waits anew is not settled by what came of it before. */
  @Column('integer')
  revision: number;

  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date;

  /** Group of the request that entered it. */
  @Column('text', { name: 'group_identifier', nullable: true })
  groupIdentifier: string | null;

  /** Null where no request is known. */
  @Column('jsonb', { nullable: true })
  trace: RequestTrace | null;
}
