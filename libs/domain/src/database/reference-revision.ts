import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';

/** Reference data that services cache: what is polled to know that a cache is stale. */
export const REFERENCES = ['flows', 'api-keys'] as const;
export type Reference = (typeof REFERENCES)[number];

/** Raised in the transaction that changes the reference data; services look at it twice a second. */
@Entity('reference_revisions')
export class ReferenceRevision {
  @PrimaryColumn('varchar', { length: 32 })
  name: Reference;

  @Column('bigint', { default: 0 })
  revision: string;
}

/** Takes part in the caller's transaction: services see the change within a second of its commit. */
export async function raiseRevision(manager: EntityManager, name: Reference): Promise<void> {
  await manager.increment(ReferenceRevision, { name }, 'revision', 1);
}
