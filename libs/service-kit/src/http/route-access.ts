import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiSecurity } from '@nestjs/swagger';
import type { KeyKind } from '@waymark/domain/access';
import type { FastifyRequest, RouteOptions } from 'fastify';

/** Marks a handler that speaks for itself, so that its class does not. */
const SAID = 'waymark:access';

/** Who may use a route: the holder of a key of that kind, or anybody. */
export type Access = KeyKind | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

/**
 * A route for holders of a key of that kind (W1); documents it too. On a class, for every route of
 * it.
 */
export const RequiresKey = (kind: KeyKind): ClassDecorator & MethodDecorator =>
  applyDecorators(routeAccess(kind), ApiSecurity(`${kind}-key`));

/** A route that is explicitly open to anybody. On a class, for every route of it. */
export const Public = (): ClassDecorator & MethodDecorator => routeAccess('public');

/** A route as it was registered. */
export interface GuardedRoute {
  method: string;
  /** With parameters as `:name`. */
  url: string;
  access: Access;
}

/** Takes note of every route; stops the start over one that does not say who may use it. */
export const requireAccess =
  (routes: GuardedRoute[]) =>
  (route: RouteOptions): void => {
    // Preflights and plain OPTIONS are answered at the front door and need no key.
    if (route.method === 'OPTIONS') return;
    const access = route.config?.access;
    if (!access)
      throw new Error(
        `the route ${String(route.method)} ${route.url} neither requires a key nor is public`,
      );
    for (const method of [route.method].flat()) routes.push({ method, url: route.url, access });
  };

/** Who may use the route that the request has found. */
export const checkAccess = (request: FastifyRequest): Access => {
  const { access } = request.routeOptions.config;
  if (access) return access;
  throw new Error(`the route ${request.routeOptions.url} does not say who may use it`);
};

function routeAccess(access: Access): ClassDecorator & MethodDecorator {
  const decorate = RouteConfig({ access });
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor) {
      Reflect.defineMetadata(SAID, true, descriptor.value as object);
      return void decorate(target, key!, descriptor);
    }
    const { prototype } = target as { prototype: object };
    for (const [name, method] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const isSilent =
        typeof method.value === 'function' && !Reflect.hasMetadata(SAID, method.value as object);
      if (name !== 'constructor' && isSilent) decorate(prototype, name, method);
    }
  };
}
