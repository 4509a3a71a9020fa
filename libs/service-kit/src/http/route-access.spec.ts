import { describe, expect, test } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { RouteOptions } from 'fastify';
import { Public, requireAccess, RequiresKey, type GuardedRoute } from './route-access.js';

@Controller()
@RequiresKey('users')
class Sample {
  @Get('guarded')
  guarded(): void {}

  @Get('open')
  @Public()
  open(): void {}
}

const accessOf = (method: object): unknown =>
  Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method);

describe('who may use a route', () => {
  test('is said by its class unless it says so itself (W1)', () => {
    expect(accessOf(Sample.prototype.guarded)).toEqual({ access: 'users' });
    expect(accessOf(Sample.prototype.open)).toEqual({ access: 'public' });
  });

  test('has to be said, or the service does not start', () => {
    const register = requireAccess([]);
    expect(() => register({ method: 'GET', url: '/x' } as RouteOptions)).toThrow(
      'the route GET /x neither requires a key nor is public',
    );
  });

  test('is noted for every method of a route', () => {
    const routes: GuardedRoute[] = [];
    requireAccess(routes)({
      method: ['GET', 'HEAD'],
      url: '/x',
      config: { access: 'blocks' },
    } as RouteOptions);
    expect(routes).toEqual([
      { method: 'GET', url: '/x', access: 'blocks' },
      { method: 'HEAD', url: '/x', access: 'blocks' },
    ]);
  });
});
