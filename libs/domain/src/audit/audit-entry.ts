import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * How a change ended. `begun`: it is under way, or its process was killed. Beside the outcome stands whatever else tells of
 * it, such as `version` or `deleted`, and for what was refused the `code` of the error.
 */
export interface AuditResult {
  readonly outcome: 'begun' | 'done' | 'refused' | 'stopped' | 'failed';
}

/** One change that an operator made or tried to make (I7). No command edits it. */
@Entity('audit_log')
@Index('audit_log_at', ['at'])
export class AuditEntry {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('text')
  by: string;

  /** `noun.verb`, such as `flow.commit`. */
  @Column('varchar', { length: 64 })
  action: string;

  /** What it was done to, in a few words that name no user. */
  @Column('text', { nullable: true })
  subject: string | null;

  /** The user it was done to, so that nobody's identifier outlives its deletion. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** Null for what concerns all environments, as flows do. */
  @Column('uuid', { name: 'environment_id', nullable: true })
  environmentId: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('jsonb')
  result: AuditResult;
}
