import type { Author } from '@waymark/domain/database/audit';
import { createKey, isGoodKey, type KeyKind, listKeys } from '@waymark/domain/access';
import type { DataSource } from 'typeorm';
import type { LocalStack } from '../config/local-file.js';

const NAME = 'local stack';

/**
 * The development keys. Those of the last run are kept while they are good; of a users key only the
 * hash is stored, so that a new one is made where the file with it is gone.
 */
export async function ensureKeys(
  dataSource: DataSource,
  environment: string,
  before: Partial<LocalStack> | undefined,
  author: Author,
): Promise<Pick<LocalStack, 'usersApiKey' | 'blocksApiKey'>> {
  const create = async (kind: KeyKind) =>
    (await createKey(dataSource, { environment, kind, name: NAME }, author)).key;
  const known = async (kind: KeyKind, key: string | undefined) =>
    key !== undefined && (await isGoodKey(dataSource, environment, kind, key)) ? key : undefined;
  return {
    usersApiKey: (await known('users', before?.usersApiKey)) ?? (await create('users')),
    blocksApiKey:
      (await known('blocks', before?.blocksApiKey)) ??
      (await findBlocksKey(dataSource, environment)) ??
      (await create('blocks')),
  };
}

async function findBlocksKey(
  dataSource: DataSource,
  environment: string,
): Promise<string | undefined> {
  const keys = await listKeys(dataSource, environment);
  const found = keys.find(
    ({ kind, name, revokedAt, expiresAt }) =>
      kind === 'blocks' && name === NAME && !revokedAt && !expiresAt,
  );
  return found?.key ?? undefined;
}
