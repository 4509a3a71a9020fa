import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Json } from '../json/json.js';

/** A person of one environment, keyed by `userId(environment, identifier)`; written by identify only (U1). */
@Entity('users')
@Check('users_properties_size', 'octet_length(properties::text) <= 1048576')
export class User {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

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
