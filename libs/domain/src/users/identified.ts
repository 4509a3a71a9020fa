import { Column } from 'typeorm';
import type { Json } from '../json/json.js';

/** What is kept of users and groups alike, of each in a table of its own; written by identify only (U1). */
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
