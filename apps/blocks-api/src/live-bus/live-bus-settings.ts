import { choice, optional, type SettingsOf, url } from '@waymark/service-kit/config';

/** What operators can say about how replicas tell each other of changes. */
export const LIVE_BUS_SETTINGS = {
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
};

export type LiveBusSettings = SettingsOf<typeof LIVE_BUS_SETTINGS>;
