import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SETTINGS } from '@waymark/service-kit/config';
import { Refusal } from '@waymark/service-kit/http';
import type { FastifyRequest } from 'fastify';
import type { StudioSettings } from '../config/settings.js';
import type { Person } from './person.js';
import { roleOf } from './role-of.js';
import { ROUTE_ACCESS, type RouteAccess } from './route-access.js';
import { Sessions } from './sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; on routes that are not for everybody. */
    person?: Person;
    /** Tells the sessions of a person apart. */
    session?: string;
  }
}

const REFUSED = {
  nobody:
    'you are signed in, and nobody has let you into this studio yet: ask its operator to add you',
  viewer: 'you may look at things here, not change them',
};

/**
 * The one place where a request is let in: a route that does not say who may use it is for editors.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(SETTINGS) private readonly settings: StudioSettings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    const access =
      this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, places) ?? 'editor';
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (access === 'everybody') return true;
    const session = await this.sessions.find(request);
    if (!session) throw new Refusal(401, 'there is no session, or it is over');
    const role = roleOf(session.person, this.settings);
    if (role === 'nobody') throw new Refusal(403, REFUSED.nobody);
    if (access === 'editor' && role !== 'editor') throw new Refusal(403, REFUSED.viewer);
    request.person = session.person;
    request.session = session.id;
    return true;
  }
}
