import type { DataSource } from 'typeorm';
import { type Author, recordChange } from '../../audit/index.js';
import { raiseRevision } from '../../database/index.js';
import { Environment, type VerificationMode } from './environment.js';
import { getEnvironment } from './environments.js';

/**
 * Sets what is done with user tokens behind public keys (V5); services follow within a second. Sockets that would not be
 * let in again are closed. Throws `environment.unknown`.
 */
export async function setVerification(
  dataSource: DataSource,
  name: string,
  verification: VerificationMode,
  author: Author,
): Promise<Environment> {
  const { id: environmentId, verification: before } = await getEnvironment(dataSource, name);
  const act = { action: 'environment.verify', subject: name, environmentId };
  await recordChange(dataSource, act, author, async (manager, notes) => {
    await manager.update(Environment, environmentId, { verification });
    await raiseRevision(manager, 'api-keys');
    notes.result = { before, after: verification };
  });
  return getEnvironment(dataSource, name);
}
