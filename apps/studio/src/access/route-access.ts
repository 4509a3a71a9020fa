import { SetMetadata } from '@nestjs/common';

/** Who may use a route. */
export type RouteAccess = 'everybody' | 'viewer' | 'editor';

/** Where a handler says who may use it. */
export const ROUTE_ACCESS = 'studio:access';

/** A route that works without a session: signing in, and the files of the pages. */
export const ForEverybody = () => SetMetadata(ROUTE_ACCESS, 'everybody' satisfies RouteAccess);

/** A route that changes nothing. */
export const ForViewers = () => SetMetadata(ROUTE_ACCESS, 'viewer' satisfies RouteAccess);

/** A route that changes something. */
export const ForEditors = () => SetMetadata(ROUTE_ACCESS, 'editor' satisfies RouteAccess);
