import { Check, Entity, Index, PrimaryColumn, Column } from 'typeorm';
import type { Json } from '../targeting/json/json.js';

/**
 * What is kept of users and of groups, each in a table of its own; written by identify only (U1).
 */
export abstract class Identified {
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

/** A person of one environment, keyed by `userId(environment, identifier)`. */
@Entity('users')
@Check('users_properties_size', 'octet_length(properties::text) <= 1048576')
// With a collation, which TypeORM cannot write.
@Index('users_by_identifier', { synchronize: false })
export class User extends Identified {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;
}

/** A company, team or account of one environment, keyed by `groupId(environment, identifier)`. */
@Entity('groups')
@Check('groups_properties_size', 'octet_length(properties::text) <= 1048576')
export class Group extends Identified {
  @PrimaryColumn('uuid', { name: 'group_id' })
  groupId: string;
}

/** That a user belongs to a group; recorded by identify, never required (U3, B3). */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('uuid', { name: 'group_id' })
  groupId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
