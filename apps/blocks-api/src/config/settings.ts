import { serviceSettings, type SettingsOf } from '@waymark/service-kit/config';
import { EFFECT_SETTINGS } from '../effects/effect-settings.js';
import { LIVE_BUS_SETTINGS } from '../live-bus/live-bus-settings.js';
import { LIVE_SETTINGS } from '../live/live-settings.js';

/** Every setting of the blocks API. */
export const SETTINGS_TABLE = {
  ...serviceSettings(7071),
  ...LIVE_BUS_SETTINGS,
  ...LIVE_SETTINGS,
  ...EFFECT_SETTINGS,
};

export type BlocksSettings = SettingsOf<typeof SETTINGS_TABLE>;

/** What one setting asks of another. */
export function checkSettings(settings: BlocksSettings): string[] {
  if (settings.liveBus === 'redis' && settings.redisUrl === undefined) return ['REDIS_URL has to be given with LIVE_BUS=redis'];
  return [];
}
