import { type DataSource, type EntityManager, Not } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { DomainError, invalidRequest } from '../../database/errors/index.js';
import { makeWebhookSecret } from './webhook-secret.js';
import { Environment, type VerificationMode } from './environment.js';
import { raiseRevision } from '../../database/index.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Stores a new environment. Throws `request.invalid` for a name that is malformed or taken. */
export function createEnvironment(
  dataSource: DataSource,
  name: string,
  author: Author,
): Promise<Environment> {
  return recordChange(
    dataSource,
    { action: 'environment.create' },
    author,
    async (manager, notes) => {
      checkEnvironmentName('environment', name);
      notes.subject = name;
      const insert = manager
        .createQueryBuilder()
        .insert()
        .into(Environment)
        .values({ name, webhookSecret: makeWebhookSecret() })
        .orIgnore();
      const { raw } = await insert.returning('id').execute();
      if ((raw as unknown[]).length === 0)
        throw invalidRequest(`environment "${name}" exists already`);
      const made = await manager.findOneByOrFail(Environment, { name });
      notes.environmentId = made.id;
      return made;
    },
  );
}

/** Throws `request.invalid` for what cannot name an environment, or something of an environment. */
export function checkEnvironmentName(what: string, name: string): void {
  if (!NAME.test(name)) {
    throw invalidRequest(
      `${what} name ${JSON.stringify(name)} is not allowed: 1 to 128 letters, digits, _ and -, a letter or digit first`,
    );
  }
}

/** All environments by name. */
export const listEnvironments = (dataSource: DataSource): Promise<Environment[]> =>
  dataSource.getRepository(Environment).find({ order: { name: 'ASC' } });

/** Names of the environments where a page's key speaks for any user (U6). */
export async function listUnverified(manager: EntityManager): Promise<string[]> {
  const found = await manager.find(Environment, {
    where: { verification: Not('required') },
    order: { name: 'ASC' },
  });
  return found.map(({ name }) => name);
}

/** The environment of that name. Throws `environment.unknown`, naming those that exist. */
export async function getEnvironment(dataSource: DataSource, name: string): Promise<Environment> {
  const found = await dataSource.getRepository(Environment).findOneBy({ name });
  if (found) return found;
  const names = (await listEnvironments(dataSource)).map((environment) => environment.name);
  throw new DomainError(
    'environment.unknown',
    `there is no environment "${name}" (there are: ${names.join(', ') || 'none'})`,
  );
}

/**
 * Sets what is done with user tokens behind public keys (V5); services follow within a second.
 * Sockets that would not be let in again are closed. Throws `environment.unknown`.
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
