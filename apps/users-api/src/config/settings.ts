import { serviceSettings, type SettingsOf } from '@waymark/service-kit/config';

/** Every setting of the users API. */
export const SETTINGS_TABLE = serviceSettings(7070);

export type UsersSettings = SettingsOf<typeof SETTINGS_TABLE>;
