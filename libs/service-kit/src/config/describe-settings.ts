import type { Setting } from './setting.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The settings as a Markdown table: name, default, meaning. */
export function describeSettings(settings: readonly Setting<unknown>[]): string {
  const rows = settings.map(({ name, optional, description, ...setting }) => {
    const fallback = setting.default === undefined ? (optional ? '' : 'required') : `\`${setting.default}\``;
    return `| \`${name}\` | ${fallback} | ${cell(description)} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The settings as an environment file: those that must be given stand there empty, the others are commented out. */
export const exampleSettings = (settings: readonly Setting<unknown>[]): string =>
  settings
    .map(({ name, optional, description, ...setting }) => {
      const required = setting.default === undefined && !optional;
      return `# ${description}\n${required ? '' : '#'}${name}=${setting.default ?? ''}`;
    })
    .join('\n\n');
