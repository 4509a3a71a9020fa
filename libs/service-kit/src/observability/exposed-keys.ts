import type { Caller, KeyUse } from '@waymark/domain/access';
import type { Logger } from 'pino';

/**
 * Notes secret keys that come with an `Origin`: a browser sends one, and a key in a page is no
 * secret. Each is logged once by each process, and written down with the key, where operators see
 * it (V1).
 */
export class ExposedKeys {
  private readonly logged = new Set<string>();

  constructor(
    private readonly logger: Logger,
    private readonly keyUse: Pick<KeyUse, 'noteBrowser'>,
  ) {}

  note({ isSecret, keyId }: Caller, origin: string | undefined): void {
    if (!isSecret || origin === undefined) return;
    this.keyUse.noteBrowser(keyId);
    if (this.logged.has(keyId)) return;
    this.logged.add(keyId);
    this.logger.warn(
      { keyId },
      'a secret key came with an Origin header, as from a web page, where everybody can read it: revoke it, and give the page a public key',
    );
  }
}
