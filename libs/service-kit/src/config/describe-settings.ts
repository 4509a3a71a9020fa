import { describedSettings, type SettingDescription, type SettingsClass } from './setting.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** What the docs say of the settings of a class; without those of `besides`, which a part before has told. */
export function listSettings(settings: SettingsClass, besides?: SettingsClass): SettingDescription[] {
  const told = besides ? describedSettings(besides) : new Map();
  return [...describedSettings(settings)].flatMap(([member, about]) => (told.has(member) ? [] : [about]));
}

/** The settings as a Markdown table: name, default, meaning. */
export function describeSettings(settings: readonly SettingDescription[]): string {
  const rows = settings.map(({ name, description, ...about }) => {
    const fallback = about.default === undefined ? (isRequired(about) ? 'required' : '') : `\`${about.default}\``;
    return `| \`${name}\` | ${fallback} | ${cell(description)} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The settings as an environment file: those that must be given stand there empty, the others are commented out. */
export const exampleSettings = (settings: readonly SettingDescription[]): string =>
  settings
    .map(({ name, description, ...about }) => {
      return `# ${description}\n${isRequired(about) ? '' : '#'}${name}=${about.default ?? ''}`;
    })
    .join('\n\n');

const isRequired = (about: Omit<SettingDescription, 'name' | 'description'>): boolean =>
  about.default === undefined && !about.optional && !about.neededWhen;
