import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endSession, isSessionEnded } from '@waymark/domain/access/ended-sessions';
import type { EntityManager } from 'typeorm';
import type { StudioSettings } from '../config/settings.js';
import type { Person } from './person.js';

/** One sign-in of a person. */
interface Session {
  readonly id: string;
  readonly person: Person;
}

const LASTS_S = 12 * 3_600;

type Secret = Pick<StudioSettings, 'access' | 'sessionSecret'>;

/**
 * Sessions live in a sealed cookie, so that any number of processes may serve them, and the
 * database has those that were ended before their time. With access by token they end with the
 * process, as its token does (T2).
 */
export class Sessions {
  private readonly key: Uint8Array;
  private readonly isSecure: boolean;

  constructor(
    { access, sessionSecret }: Secret,
    private readonly manager: EntityManager,
    /** Cookies are shared by all ports of a host. */
    private readonly portOf: () => number,
  ) {
    this.isSecure = access === 'oidc';
    this.key = this.isSecure
      ? createHash('sha256').update(sessionSecret!).digest()
      : randomBytes(32);
  }

  async begin(reply: FastifyReply, person: Person): Promise<void> {
    this.put(
      reply,
      this.name,
      await this.seal('session', { id: randomUUID(), person }, LASTS_S),
      LASTS_S,
    );
  }

  /**
   * Copies of the cookie end too. The cookie stays where that cannot be written down, to be ended
   * again.
   */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const session = await this.read(request);
    if (session) await endSession(this.manager, session.id, LASTS_S);
    this.put(reply, this.name, '', 0);
  }

  /**
   * Undefined without a session, or with one that was ended, is over or was made by another
   * process.
   */
  async find(request: FastifyRequest): Promise<Session | undefined> {
    const session = await this.read(request);
    return session && !(await isSessionEnded(this.manager, session.id)) ? session : undefined;
  }

  /** According to the cookie, without checking whether it was ended. */
  async read(request: FastifyRequest): Promise<Session | undefined> {
    const session = await this.open<Session>(request, this.name, 'session');
    // Without an id it could not be ended.
    return session?.id ? session : undefined;
  }

  /** Keeps what a sign-in has to remember until the provider sends the person back. */
  async remember(reply: FastifyReply, what: object, seconds: number): Promise<void> {
    this.put(reply, `${this.name}-login`, await this.seal('login', what, seconds), seconds);
  }

  async recall<What>(request: FastifyRequest, reply: FastifyReply): Promise<What | undefined> {
    const found = await this.open<What>(request, `${this.name}-login`, 'login');
    this.put(reply, `${this.name}-login`, '', 0);
    return found;
  }

  private get name(): string {
    return this.isSecure ? '__Host-waymark-studio' : `waymark-studio-${this.portOf()}`;
  }

  private put(reply: FastifyReply, name: string, value: string, maxAge: number): void {
    const sameSite = this.isSecure ? 'lax' : 'strict';
    const cookie = serialize(name, value, {
      httpOnly: true,
      secure: this.isSecure,
      sameSite,
      path: '/',
      maxAge,
    });
    void reply.header('set-cookie', cookie);
  }

  private seal(subject: string, claims: object, seconds: number): Promise<string> {
    return new EncryptJWT({ ...claims })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setSubject(subject)
      .setExpirationTime(`${seconds}s`)
      .encrypt(this.key);
  }

  private async open<What>(
    { headers }: FastifyRequest,
    name: string,
    subject: string,
  ): Promise<What | undefined> {
    const value = parse(headers.cookie ?? '')[name];
    if (!value) return undefined;
    try {
      const { payload } = await jwtDecrypt(value, this.key, {
        subject,
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return payload as What;
    } catch {
      return undefined;
    }
  }
}
