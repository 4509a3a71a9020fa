import { Choice, Flag, Integer, Port, ServiceSettings, Url } from '@waymark/service-kit/config';

/**
 * Every setting of the blocks API: those of every service, of live updates, and of webhooks and
 * flow triggers (S19).
 */
export class BlocksSettings extends ServiceSettings {
  @Port(7071)
  override readonly port!: number;

  @Choice('LIVE_BUS', ['postgres', 'redis'], {
    default: 'postgres',
    description:
      'how replicas tell each other of changes: `postgres` (LISTEN and NOTIFY on one more connection) or `redis`',
  })
  readonly liveBus!: 'postgres' | 'redis';

  @Url('LIVE_DATABASE_URL', ['postgres', 'postgresql'], {
    optional: true,
    description:
      'where to LISTEN when DATABASE_URL is a pooler in transaction mode; DATABASE_URL when not given',
  })
  readonly liveDatabaseUrl?: string;

  @Url('REDIS_URL', ['redis', 'rediss'], {
    neededWhen: {
      words: 'with LIVE_BUS=redis',
      holds: ({ liveBus }: BlocksSettings) => liveBus === 'redis',
    },
    description: 'the Redis server (6.2 or later) that LIVE_BUS=redis needs',
  })
  readonly redisUrl?: string;

  @Limit('LIVE_SOCKETS_PER_KEY', 100_000, 'open sockets of one API key on this replica at most')
  readonly socketsPerKey!: number;

  @Limit(
    'LIVE_SOCKETS_PER_ADDRESS',
    5_000,
    'open sockets of one address on this replica at most; behind a proxy that is not in TRUSTED_PROXIES all have its address',
  )
  readonly socketsPerAddress!: number;

  @Limit(
    'LIVE_HANDSHAKES_PER_SECOND',
    1_000,
    'new sockets a second on this replica, with a good key; more are closed and come back by themselves a moment later',
  )
  readonly handshakesPerSecond!: number;

  @Limit(
    'LIVE_HANDSHAKES_PER_ADDRESS',
    200,
    'new sockets a second of one address on this replica, with a good key',
  )
  readonly handshakesPerAddress!: number;

  @Flag('WEBHOOK_PRIVATE_ADDRESSES', {
    default: 'off',
    description: 'on sends webhooks to private and loopback addresses too',
  })
  readonly webhookPrivateAddresses!: boolean;

  @Flag('WEBHOOK_UNCOMMITTED', {
    default: 'off',
    description: 'on sends the webhooks of version 0 too',
  })
  readonly webhookUncommitted!: boolean;

  @Integer('EFFECT_CONCURRENCY', {
    default: '8',
    min: 1,
    max: 1000,
    description:
      'how many webhooks to one host this process sends at the same time, and how many flow triggers it carries out',
  })
  readonly effectConcurrency!: number;

  @Flag('ELEMENTS', {
    default: 'on',
    description:
      'off answers 404 to `GET /elements.js` and `/elements-debug.js`, with which pages show flows by one script tag',
  })
  readonly elements!: boolean;
}

function Limit(name: string, fallback: number, description: string): PropertyDecorator {
  return Integer(name, { default: String(fallback), min: 1, max: 10_000_000, description });
}
