import type { DataSource } from 'typeorm';
import { DomainError, invalidRequest } from '../errors/index.js';
import { Environment } from './environment.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Stores a new environment. Throws `request.invalid` for a name that is malformed or taken. */
export async function createEnvironment(dataSource: DataSource, name: string): Promise<Environment> {
  if (!NAME.test(name)) {
    throw invalidRequest(
      `environment name ${JSON.stringify(name)} is not allowed: 1 to 128 letters, digits, _ and -, a letter or digit first`,
    );
  }
  const repository = dataSource.getRepository(Environment);
  const { raw } = await repository.createQueryBuilder().insert().values({ name }).orIgnore().returning('id').execute();
  if ((raw as unknown[]).length === 0) throw invalidRequest(`environment "${name}" exists already`);
  return getEnvironment(dataSource, name);
}

/** All environments by name. */
export const listEnvironments = (dataSource: DataSource): Promise<Environment[]> =>
  dataSource.getRepository(Environment).find({ order: { name: 'ASC' } });

/** The environment of that name. Throws `environment.unknown`, naming those that exist. */
export async function getEnvironment(dataSource: DataSource, name: string): Promise<Environment> {
  const found = await dataSource.getRepository(Environment).findOneBy({ name });
  if (found) return found;
  const names = (await listEnvironments(dataSource)).map((environment) => environment.name);
  throw new DomainError('environment.unknown', `there is no environment "${name}" (there are: ${names.join(', ') || 'none'})`);
}
