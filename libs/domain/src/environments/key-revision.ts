import type { EntityManager } from 'typeorm';

/** Tells running services, within a second of the commit, that keys, signers or modes have changed (`KeyRing`). */
export const raiseKeyRevision = (manager: EntityManager): Promise<unknown> =>
  manager.query("UPDATE reference_revisions SET revision = revision + 1 WHERE name = 'api-keys'");
