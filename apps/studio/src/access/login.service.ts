import { userInfo } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@waymark/service-kit/config';
import { Refusal } from '@waymark/service-kit/http';
import { LOGGER } from '@waymark/service-kit/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { StudioSettings } from '../config/settings.js';
import { AccessToken } from './access-token.js';
import type { Me } from './me.js';
import { type AuthRequest, Oidc } from './oidc.js';
import { roleOf } from './role-of.js';
import { Sessions } from './sessions.js';

const AUTH_REQUEST_LASTS_S = 600;

/** How sessions begin and end. */
@Injectable()
export class LoginService {
  constructor(
    @Inject(SETTINGS) private readonly settings: StudioSettings,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(AccessToken) private readonly token: AccessToken,
    @Inject(Oidc) private readonly oidc: Oidc,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async describe(request: FastifyRequest): Promise<Me> {
    const { access, readOnly } = this.settings;
    const { person } = (await this.sessions.find(request)) ?? {};
    return {
      access,
      person: person ? { name: person.name } : null,
      role: person ? roleOf(person, this.settings) : null,
      readOnly,
    };
  }

  async takeToken(token: string, reply: FastifyReply): Promise<void> {
    if (this.settings.access !== 'token')
      throw new Refusal(403, 'people sign in here; there is no token');
    if (!this.token.isRight(token))
      throw new Refusal(
        401,
        'this address is of an earlier start; open the one that was printed last',
      );
    await this.sessions.begin(reply, { name: this.settings.by ?? accountName() });
  }

  async begin(reply: FastifyReply): Promise<void> {
    if (this.settings.access !== 'oidc') return this.home(reply);
    const { to, authRequest } = await this.oidc.begin();
    await this.sessions.remember(reply, authRequest, AUTH_REQUEST_LASTS_S);
    void reply.code(302).header('location', to).send();
  }

  async callback(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const authRequest = await this.sessions.recall<AuthRequest>(request, reply);
    if (this.settings.access !== 'oidc' || !authRequest) return this.home(reply);
    const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
    try {
      await this.sessions.begin(reply, await this.oidc.callback(query, authRequest));
      this.home(reply);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.logger.warn({ err: error }, 'somebody could not sign in');
      // The page has its own words: a text in an address could be anybody's.
      this.home(reply, '#sign-in-failed');
    }
  }

  leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.sessions.end(request, reply);
  }

  private home(reply: FastifyReply, fragment = ''): void {
    void reply.code(302).header('location', `/${fragment}`).send();
  }
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no account has.
    return String(process.getuid?.() ?? 'studio');
  }
}
