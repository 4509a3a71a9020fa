import type { Setting } from './setting.js';

const DEFAULT = (setting: Setting<unknown>): string => setting.default ?? (setting.optional ? '' : 'required');

/** The rows of a Markdown table of settings: name, default, meaning. */
export const describeSettings = (settings: readonly Setting<unknown>[]): string =>
  ['| setting | default | meaning |', '|---|---|---|']
    .concat(settings.map((setting) => `| \`${setting.name}\` | ${DEFAULT(setting)} | ${setting.description} |`))
    .join('\n');

/** The settings as an example file for `node --env-file`: what has a default or may be left out is commented out. */
export const exampleSettings = (settings: readonly Setting<unknown>[]): string =>
  settings
    .map(
      (setting) => `# ${setting.description}\n${setting.default === undefined && !setting.optional ? '' : '# '}${setting.name}=`,
    )
    .join('\n');
