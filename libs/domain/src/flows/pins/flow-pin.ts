import {
  Column,
  Entity,
  ForeignKey,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { Environment } from '../../access/environment/environment.js';
import { FlowVersion } from '../versions/flow-version.js';

/** What `latest` of a flow means in one environment until it is unpinned (S34). */
@Entity('flow_pins')
@ForeignKey(() => FlowVersion, ['flow', 'version'], ['flow', 'version'], {
  name: 'flow_pins_version_fkey',
})
export class FlowPin {
  @PrimaryColumn('uuid', { name: 'environment_id' })
  environmentId: string;

  @ManyToOne(() => Environment, { nullable: false })
  @JoinColumn({ name: 'environment_id', foreignKeyConstraintName: 'flow_pins_environment_id_fkey' })
  environment?: Relation<Environment>;

  @PrimaryColumn('varchar', { length: 128 })
  flow: string;

  /** A committed one. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
