import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  addSigner,
  createKey,
  removeSigner,
  setVerification,
  toPem,
  type VerificationMode,
} from '@waymark/domain/access';
import { mintToken } from '@waymark/testing/tokens';
import type { DataSource } from 'typeorm';

const AUTHOR = { by: 'test' };
const HOUR = 3_600;

/** Seconds since 1970. */
export const seconds = (): number => Math.floor(Date.now() / 1_000);

/** Keys of a signer, and what an application does with them. */
export class Identity {
  readonly pair = generateKeyPairSync('ed25519');
  readonly stranger = generateKeyPairSync('ed25519');

  private constructor(
    readonly dataSource: DataSource,
    /** A key as pages carry it, and one of a backend. */
    readonly publicKey: string,
    readonly secretKey: string,
  ) {}

  static async open(dataSource: DataSource, environment = 'development'): Promise<Identity> {
    const open = await createKey(dataSource, { environment, kind: 'blocks' }, AUTHOR);
    const secret = await createKey(
      dataSource,
      { environment, kind: 'blocks', isSecret: true },
      AUTHOR,
    );
    const identity = new Identity(dataSource, open.key, secret.key);
    await identity.addSigner('app', environment);
    return identity;
  }

  async addSigner(name: string, environment = 'development'): Promise<void> {
    await addSigner(
      this.dataSource,
      { environment, name, publicKey: toPem(this.pair.publicKey) },
      AUTHOR,
    );
  }

  async removeSigner(name: string, environment = 'development'): Promise<void> {
    await removeSigner(this.dataSource, { environment, name }, AUTHOR);
  }

  async verify(mode: VerificationMode, environment = 'development'): Promise<void> {
    await setVerification(this.dataSource, environment, mode, AUTHOR);
  }

  /** A token of the user, good for an hour unless the claims say otherwise. */
  token(
    user: string,
    claims: object = {},
    header: object = {},
    key: KeyObject = this.pair.privateKey,
  ): string {
    const all = { sub: user, aud: 'development', exp: seconds() + HOUR, ...claims };
    return mintToken({ header: { alg: 'EdDSA', kid: 'app', ...header }, claims: all, key });
  }

  /** What a page of that user sends as its key. */
  page(user: string, claims: object = {}): string {
    return `${this.publicKey}.${this.token(user, claims)}`;
  }
}
