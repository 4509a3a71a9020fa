import { choice, integer, optional, type SettingsOf, url } from '@waymark/service-kit/config';

const limit = (name: string, fallback: number, description: string) =>
  integer(name, { default: String(fallback), min: 1, max: 10_000_000, description });

/** What operators can say about live updates. */
export const LIVE_SETTINGS = {
  liveBus: choice('LIVE_BUS', ['postgres', 'redis'], {
    default: 'postgres',
    description: 'how replicas tell each other of changes: `postgres` (LISTEN and NOTIFY on one more connection) or `redis`',
  }),
  liveDatabaseUrl: optional(
    url('LIVE_DATABASE_URL', ['postgres', 'postgresql'], {
      description: 'where to LISTEN when DATABASE_URL is a pooler in transaction mode; DATABASE_URL when not given',
    }),
  ),
  redisUrl: optional(
    url('REDIS_URL', ['redis', 'rediss'], { description: 'the Redis server (6.2 or later) that LIVE_BUS=redis needs' }),
  ),
  socketsPerKey: limit('LIVE_SOCKETS_PER_KEY', 100_000, 'open sockets of one API key on this replica at most'),
  socketsPerAddress: limit(
    'LIVE_SOCKETS_PER_ADDRESS',
    100_000,
    'open sockets of one address on this replica at most; behind a proxy all sockets have the address of the proxy',
  ),
  handshakesPerSecond: limit(
    'LIVE_HANDSHAKES_PER_SECOND',
    1_000,
    'new sockets a second on this replica; more are refused and come back by themselves a moment later',
  ),
};

export type LiveSettings = SettingsOf<typeof LIVE_SETTINGS>;
