import { Check, Entity, PrimaryColumn } from 'typeorm';
import { Identified } from './identified.js';

/** A company, team or account of one environment, keyed by `groupId(environment, identifier)`. */
@Entity('groups')
@Check('groups_properties_size', 'octet_length(properties::text) <= 1048576')
export class Group extends Identified {
  @PrimaryColumn('uuid', { name: 'group_id' })
  groupId: string;
}
