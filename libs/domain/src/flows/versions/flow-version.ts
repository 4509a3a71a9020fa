import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { FlowDefinition, MigrationStrategy } from '../../engine/index.js';

/** A flow of the installation, shared by all environments (S26). */
@Entity('flows')
export class Flow {
  @PrimaryColumn('varchar', { length: 128 })
  flow: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  /** Archived flows are unknown to clients until their file is applied again (B12). */
  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt: Date | null;
}

/** Version 0 is the one being edited; 1, 2, 3, … are commits and never change (S26). */
@Entity('flow_versions')
export class FlowVersion {
  @PrimaryColumn('varchar', { length: 128 })
  flow: string;

  @ManyToOne(() => Flow, { nullable: false })
  @JoinColumn({ name: 'flow', foreignKeyConstraintName: 'flow_versions_flow_fkey' })
  of?: Relation<Flow>;

  @PrimaryColumn('integer')
  version: number;

  @Column('jsonb')
  definition: FlowDefinition;

  /**
   * Raised by one with every change of version 0; recognizes states that were last seen under an
   * older edit (S27).
   */
  @Column('integer', { default: 1 })
  edition: number;

  @Column('text', { nullable: true })
  message: string | null;

  /** How users with older state meet this version (S28). */
  @Column('varchar', { length: 32, default: 'carry-over' })
  migration: MigrationStrategy;

  /** The file it was applied from, comments and all; null where no file was (T6). */
  @Column('text', { nullable: true })
  source: string | null;

  /** Who committed it. */
  @Column('text', { nullable: true })
  author: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
