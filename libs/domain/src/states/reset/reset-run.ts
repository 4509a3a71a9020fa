import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Author } from '../../database/audit/index.js';
import { Environment } from '../../access/environment/environment.js';

/** How many users a run has visited so far, by outcome. */
export interface ResetCounts {
  /** Users the run is for. */
  readonly matched: number;
  /** Reset; by an undo: given their state back. */
  readonly reset: number;
  /** Clean already, and left so (S10). */
  readonly unchanged: number;
  /** Too much contention, or gone by then. */
  readonly failed: number;
}

/**
 * A reset of many users, or the undo of one (I6). It stays on record; without an end it is under
 * way, or was killed. Its id is in each of its events: as the key of a reset (B11), as a mark of a
 * restored state.
 */
@Entity('reset_runs')
@Index('reset_runs_of_environment', ['environmentId', 'createdAt'])
export class ResetRun implements ResetCounts {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'environment_id' })
  @ForeignKey(() => Environment, { name: 'reset_runs_environment_id_fkey' })
  environmentId: string;

  @Column('varchar', { length: 128 })
  flow: string;

  @Column('integer')
  version: number;

  /** Source text of the condition; null for everybody. */
  @Column('text', { nullable: true })
  condition: string | null;

  @Column('boolean')
  force: boolean;

  /** Who began it, and why; null for runs from before this was kept. */
  @Column('text', { nullable: true })
  by: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  /** The run that this one takes back; null for a reset. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => ResetRun, { name: 'reset_runs_undoes_fkey' })
  undoes: string | null;

  /** All up to this one are done; null at the beginning. */
  @Column('uuid', { name: 'after_user_id', nullable: true })
  afterUserId: string | null;

  @Column('integer', { default: 0 })
  matched: number;

  @Column('integer', { default: 0 })
  reset: number;

  @Column('integer', { default: 0 })
  unchanged: number;

  /** Of an undo: users whose state has moved since, and who are left. */
  @Column('integer', { name: 'moved_on', default: 0 })
  movedOn: number;

  @Column('integer', { default: 0 })
  failed: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;

  /** A run at its beginning, not stored yet. */
  static of(
    what: Pick<ResetRun, 'environmentId' | 'flow' | 'version' | 'condition' | 'force' | 'undoes'>,
    { by, reason }: Author,
  ): ResetRun {
    const start = {
      afterUserId: null,
      matched: 0,
      reset: 0,
      unchanged: 0,
      movedOn: 0,
      failed: 0,
      finishedAt: null,
    };
    return Object.assign(new ResetRun(), { ...what, by, reason: reason ?? null, ...start });
  }
}

/** Only the counts of a reset. */
export const countsOf = ({ matched, reset, unchanged, failed }: ResetCounts): ResetCounts => ({
  matched,
  reset,
  unchanged,
  failed,
});
