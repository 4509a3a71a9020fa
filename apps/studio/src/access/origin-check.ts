import { LOOPBACK, type StudioSettings } from '../config/settings.js';
import { Refusal } from '@waymark/service-kit/http';
import type { FastifyRequest } from 'fastify';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Checks Host and Origin. Another Host is a foreign page whose DNS name was pointed here (DNS
 * rebinding), and a write from another origin is a page that uses the cookie of its visitor (CSRF,
 * T2).
 */
export class OriginCheck {
  private readonly origins: Set<string>;
  /** Where to open it instead. */
  private readonly address: string;

  constructor({ access, publicUrl }: Pick<StudioSettings, 'access' | 'publicUrl'>, port: number) {
    const loopback = LOOPBACK.filter((name) => name !== '::1').map(
      (name) => new URL(`http://${name}:${port}`).origin,
    );
    // Sessions of people who sign in are bound to the one address that the provider knows.
    this.origins = new Set([
      ...(access === 'oidc' ? [] : loopback),
      ...(publicUrl ? [publicUrl] : []),
    ]);
    this.address = publicUrl ?? loopback[0]!;
  }

  /**
   * Throws a `Refusal` for a foreign Host, and for a write that does not come from a page of this
   * studio.
   */
  check({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
    const { host, origin } = headers;
    const hosts = [...this.origins].map((each) => new URL(each).host);
    if (!hosts.includes(host?.toLowerCase() ?? ''))
      throw new Refusal(
        403,
        `the studio is not served under this name; open it as ${this.address}`,
      );
    if (READS.includes(method)) return;
    if (origin === undefined || !this.origins.has(origin))
      throw new Refusal(403, 'a change has to come from a page of the studio itself');
  }
}
