import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Environment } from '../environments/environment.js';

/** A reset of many users that is under way, or was killed; deleted when it is done. Its id is the key of each reset (B11). */
@Entity('reset_runs')
export class ResetRun {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'environment_id' })
  environmentId: string;

  @ManyToOne(() => Environment, { nullable: false })
  @JoinColumn({ name: 'environment_id', foreignKeyConstraintName: 'reset_runs_environment_id_fkey' })
  environment?: Relation<Environment>;

  @Column('varchar', { length: 128 })
  flow: string;

  @Column('integer')
  version: number;

  /** Source text of the condition; null for everybody. */
  @Column('text', { nullable: true })
  condition: string | null;

  @Column('boolean')
  force: boolean;

  /** All up to this one are done; null at the beginning. */
  @Column('uuid', { name: 'after_user_id', nullable: true })
  afterUserId: string | null;

  @Column('integer', { default: 0 })
  matched: number;

  @Column('integer', { default: 0 })
  reset: number;

  @Column('integer', { default: 0 })
  unchanged: number;

  @Column('integer', { default: 0 })
  failed: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
