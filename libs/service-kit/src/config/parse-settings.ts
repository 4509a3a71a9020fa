import type { Setting, SettingsOf } from './setting.js';
import { StartError } from '../errors/start-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting of a table once. Throws one `StartError` that tells of all problems together, by name and never
 * with values. An empty text counts as not given.
 */
export function parseSettings<Table extends Record<string, Setting<unknown>>>(
  table: Table,
  from: Environment,
): SettingsOf<Table> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(table)) {
    try {
      values[key] = parseOne(setting, from[setting.name]);
    } catch (error) {
      problems.push(`${setting.name} ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new StartError(`the settings are not right: ${problems.join('; ')}`);
  return values as SettingsOf<Table>;
}

function parseOne(setting: Setting<unknown>, given: string | undefined): unknown {
  const text = given?.trim() || setting.default;
  if (text !== undefined) return setting.parse(text);
  if (setting.optional) return undefined;
  throw new Error('has to be given');
}
