import { flag, integer, type SettingsOf } from '@waymark/service-kit/config';

/** How effects of flows are carried out (S19). */
export const EFFECT_SETTINGS = {
  webhookPrivateAddresses: flag('WEBHOOK_PRIVATE_ADDRESSES', {
    default: 'off',
    description: 'on sends webhooks to private and loopback addresses too',
  }),
  webhookUncommitted: flag('WEBHOOK_UNCOMMITTED', {
    default: 'off',
    description: 'on sends the webhooks of version 0 too',
  }),
  effectConcurrency: integer('EFFECT_CONCURRENCY', {
    default: '8',
    min: 1,
    max: 1000,
    description: 'webhooks to one host that this process carries out at the same time, and so many flow triggers besides',
  }),
};

export type EffectSettings = SettingsOf<typeof EFFECT_SETTINGS>;
