import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Json } from '../json/json.js';

/** A company, team or account of one environment, keyed by `groupId(environment, identifier)` (U1). */
@Entity('groups')
@Check('groups_properties_size', 'octet_length(properties::text) <= 1048576')
export class Group {
  @PrimaryColumn('uuid', { name: 'group_id' })
  groupId: string;

  @Column('uuid', { name: 'environment_id' })
  environmentId: string;

  @Column('text')
  identifier: string;

  @Column('jsonb', { default: {} })
  properties: Record<string, Json>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
