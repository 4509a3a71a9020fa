import { Column, Entity, PrimaryColumn } from 'typeorm';

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
