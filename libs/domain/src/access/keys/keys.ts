import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { raiseRevision } from '../../database/index.js';
import { DomainError, invalidRequest } from '../../database/errors/index.js';
import { ApiKey, type KeyKind, generateKey, hashKey } from './api-key.js';
import { getEnvironment } from '../environment/environments.js';

const MAX_NAME = 128;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface NewKey {
  /** Name of the environment. */
  environment: string;
  kind: KeyKind;
  /** A blocks key for backends, which pages must not carry (V1); users keys always are. */
  isSecret?: boolean;
  /** 1 to 128 characters. */
  name?: string;
  /** Milliseconds from now, by the clock of the database; never when absent. */
  expiresInMs?: number;
}

/** A key as it may be shown: `key` is there at creation, later for public keys only. */
export interface KeyView extends Pick<
  ApiKey,
  | 'id'
  | 'kind'
  | 'name'
  | 'createdAt'
  | 'expiresAt'
  | 'revokedAt'
  | 'lastUsedAt'
  | 'seenInBrowserAt'
> {
  environment: string;
  isSecret: boolean;
  key: string | null;
}

/**
 * Stores a new key and returns it readable, for a secret key the only time. Services know it within
 * a second. Throws `request.invalid` for a name that is empty or too long.
 */
export async function createKey(
  dataSource: DataSource,
  wanted: NewKey,
  author: Author,
): Promise<KeyView & { key: string }> {
  const environment = await getEnvironment(dataSource, wanted.environment);
  const isSecret = wanted.isSecret === true || wanted.kind === 'users';
  const key = generateKey(wanted.kind, isSecret);
  const act = { action: 'key.create', environmentId: environment.id };
  const id = await recordChange(dataSource, act, author, async (manager, notes) => {
    checkName(wanted.name);
    const [row] = (await manager.query(
      `INSERT INTO api_keys (environment_id, kind, name, hash, secret, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 millisecond') RETURNING id`,
      [
        environment.id,
        wanted.kind,
        wanted.name ?? null,
        hashKey(key),
        isSecret ? null : key,
        wanted.expiresInMs ?? null,
      ],
    )) as { id: string }[];
    await raiseRevision(manager, 'api-keys');
    notes.subject = `${wanted.kind} key ${row!.id}`;
    return row!.id;
  });
  return { ...(await getKey(dataSource, id)), key };
}

/**
 * Every key ever made, revoked ones too, the oldest first; of one environment when its name is
 * given.
 */
export async function listKeys(dataSource: DataSource, environment?: string): Promise<KeyView[]> {
  if (environment !== undefined) await getEnvironment(dataSource, environment);
  const keys = await dataSource.getRepository(ApiKey).find({
    where: environment === undefined ? {} : { environment: { name: environment } },
    relations: { environment: true },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  return keys.map(view);
}

/**
 * Revokes a key for ever; services refuse it within a second. A second time changes nothing. Throws
 * `key.unknown`.
 */
export async function revokeKey(
  dataSource: DataSource,
  id: string,
  author: Author,
): Promise<KeyView> {
  await recordChange(dataSource, { action: 'key.revoke' }, author, async (manager, notes) => {
    const { kind, environmentId } = await findKey(manager, id);
    Object.assign(notes, { subject: `${kind} key ${id}`, environmentId });
    await manager.update(ApiKey, { id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    await raiseRevision(manager, 'api-keys');
  });
  return getKey(dataSource, id);
}

/** Whether the text is a key of that kind and environment that services accept now. */
export async function isGoodKey(
  dataSource: DataSource,
  environment: string,
  kind: KeyKind,
  key: string,
): Promise<boolean> {
  const found = await dataSource
    .getRepository(ApiKey)
    .createQueryBuilder('key')
    .innerJoin('key.environment', 'environment', 'environment.name = :environment', { environment })
    .where('key.hash = :hash AND key.kind = :kind', { hash: hashKey(key), kind })
    .andWhere('key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now())')
    .getCount();
  return found > 0;
}

function checkName(name: string | undefined): void {
  if (name === undefined) return;
  const { length } = [...name];
  if (length < 1 || length > MAX_NAME)
    throw invalidRequest(
      `the name of a key has 1 to ${MAX_NAME} characters, this one has ${length}`,
    );
  if (/\p{Cc}/u.test(name)) throw invalidRequest('the name of a key has no control characters');
}

const getKey = async ({ manager }: DataSource, id: string): Promise<KeyView> =>
  view(await findKey(manager, id));

async function findKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const found = UUID.test(id)
    ? await manager.findOne(ApiKey, { where: { id }, relations: { environment: true } })
    : undefined;
  if (!found)
    throw new DomainError(
      'key.unknown',
      `there is no key with id "${id}"; "key list" shows the ids`,
    );
  return found;
}

function view({
  id,
  environment,
  kind,
  name,
  readable: key,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
  seenInBrowserAt,
}: ApiKey): KeyView {
  const view = { id, environment: environment!.name, kind, isSecret: key === null, name, key };
  return { ...view, createdAt, expiresAt, revokedAt, lastUsedAt, seenInBrowserAt };
}
