import { generateKeyPairSync } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { raiseRevision } from '../../database/index.js';
import { DomainError, invalidRequest } from '../../database/errors/index.js';
import { checkEnvironmentName, getEnvironment } from '../environment/environments.js';
import {
  algorithmOf,
  fingerprintOf,
  parsePublicKey,
  type SigningAlgorithm,
  toPem,
} from './public-key.js';
import { Signer } from './signer.js';

/** A signer as it may be shown: all of it is public. */
export interface SignerView {
  name: string;
  environment: string;
  algorithm: SigningAlgorithm;
  fingerprint: string;
  createdAt: Date;
}
interface NewSigner {
  /** Name of the environment. */
  environment: string;
  /** The `kid` of its tokens, in the form of environment names. */
  name: string;
  /** PEM or JWK. */
  publicKey: string;
}

/**
 * Takes the tokens that the owner of this key signs, beside those of other signers; services know
 * it within a second (V2). Throws `request.invalid` for a name or key that is not allowed, and for
 * a name that is taken.
 */
export async function addSigner(
  dataSource: DataSource,
  wanted: NewSigner,
  author: Author,
): Promise<SignerView> {
  const { id: environmentId, name: environment } = await getEnvironment(
    dataSource,
    wanted.environment,
  );
  return recordChange(
    dataSource,
    { action: 'signer.add', environmentId },
    author,
    async (manager, notes) => {
      checkEnvironmentName('signer', wanted.name);
      const key = parsePublicKey(wanted.publicKey);
      const values = { environmentId, name: wanted.name, publicKey: toPem(key) };
      const insert = manager.createQueryBuilder().insert().into(Signer).values(values).orIgnore();
      const { raw } = await insert.returning('created_at').execute();
      const [row] = raw as { created_at: Date }[];
      if (!row)
        throw invalidRequest(
          `signer "${wanted.name}" exists already; another key is a signer with another name`,
        );
      await raiseRevision(manager, 'api-keys');
      const [algorithm, fingerprint] = [algorithmOf(key), fingerprintOf(key)];
      Object.assign(notes, {
        subject: `signer ${wanted.name}`,
        result: { algorithm, fingerprint },
      });
      return { name: wanted.name, environment, algorithm, fingerprint, createdAt: row.created_at };
    },
  );
}

/**
 * Makes an Ed25519 pair and adds its public half; the private one is returned as PEM and is kept
 * nowhere.
 */
export async function createSigner(
  dataSource: DataSource,
  wanted: Omit<NewSigner, 'publicKey'>,
  author: Author,
): Promise<SignerView & { privateKey: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const made = await addSigner(dataSource, { ...wanted, publicKey: toPem(publicKey) }, author);
  return { ...made, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** The signers of an environment by name. */
export async function listSigners(
  dataSource: DataSource,
  environment: string,
): Promise<SignerView[]> {
  const { id: environmentId } = await getEnvironment(dataSource, environment);
  const signers = await dataSource
    .getRepository(Signer)
    .find({ where: { environmentId }, order: { name: 'ASC' } });
  return signers.map(({ name, publicKey, createdAt }) => {
    const key = parsePublicKey(publicKey);
    return {
      name,
      environment,
      algorithm: algorithmOf(key),
      fingerprint: fingerprintOf(key),
      createdAt,
    };
  });
}

/**
 * No longer takes the tokens of this signer; services follow within a second. Throws
 * `signer.unknown`, naming those that exist.
 */
export async function removeSigner(
  dataSource: DataSource,
  { environment, name }: Omit<NewSigner, 'publicKey'>,
  author: Author,
): Promise<void> {
  const { id: environmentId } = await getEnvironment(dataSource, environment);
  await recordChange(
    dataSource,
    { action: 'signer.remove', environmentId },
    author,
    async (manager, notes) => {
      const { affected } = await manager.delete(Signer, { environmentId, name });
      if (affected === 0) {
        const names = (
          await manager.find(Signer, { where: { environmentId }, order: { name: 'ASC' } })
        ).map((row) => row.name);
        throw new DomainError(
          'signer.unknown',
          `there is no signer "${name}" in ${environment} (there are: ${names.join(', ') || 'none'})`,
        );
      }
      notes.subject = `signer ${name}`;
      await raiseRevision(manager, 'api-keys');
    },
  );
}
