import type { FastifyCorsOptions } from '@fastify/cors';

const ALLOWED_HEADERS = [
  'content-type',
  'x-api-key',
  'x-pkg-name',
  'x-pkg-version',
  'x-request-id',
  'idempotency-key',
  'x-fern-language',
  'x-fern-sdk-name',
  'x-fern-sdk-version',
  'x-fern-runtime',
  'x-fern-runtime-version',
];
const EXPOSED_HEADERS = [
  'x-dopt-intent-side-effects',
  'x-waymark-revision',
  'x-request-id',
  'retry-after',
];

/**
 * Who may call from a browser, and with what (W6). A plain OPTIONS goes on to the front door, which
 * has the `Allow`.
 */
export const corsOptions = (origins: '*' | string[]): FastifyCorsOptions => ({
  origin: origins,
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ALLOWED_HEADERS,
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 7_200,
  strictPreflight: false,
  preflightContinue: true,
});

/** The CORS headers of an answer that is written past the router. */
export function corsHeaders(
  origins: '*' | string[],
  origin: string | undefined,
): Record<string, string> {
  if (origins !== '*' && (origin === undefined || !origins.includes(origin)))
    return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origins === '*' ? '*' : origin!,
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    ...(origins !== '*' && { vary: 'Origin' }),
  };
}
