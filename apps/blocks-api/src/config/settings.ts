import { choice, optional, serviceSettings, url, type SettingsOf } from '@waymark/service-kit/config';
import { EFFECT_SETTINGS } from '../effects/effect-settings.js';

/** Every setting of the blocks API. */
export const SETTINGS_TABLE = {
  ...serviceSettings(7071),
  liveBus: choice('LIVE_BUS', ['postgres', 'redis'], {
    default: 'postgres',
    description: 'how replicas tell each other of changes; `redis` needs REDIS_URL',
  }),
  redisUrl: optional(url('REDIS_URL', ['redis', 'rediss'], { description: 'the Redis of `LIVE_BUS=redis`' })),
  ...EFFECT_SETTINGS,
};

export type BlocksSettings = SettingsOf<typeof SETTINGS_TABLE>;

/** What one setting asks of another. */
export function checkSettings(settings: BlocksSettings): string[] {
  if (settings.liveBus === 'redis' && settings.redisUrl === undefined) return ['REDIS_URL has to be given with LIVE_BUS=redis'];
  return [];
}
