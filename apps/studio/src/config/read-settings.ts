import { readSettings, type Variables, StartError } from '@waymark/service-kit/config';
import { checkSettings } from './check-settings.js';
import { StudioSettings } from './settings.js';

/** Reads everything once. Throws a `StartError` with all problems together. */
export function readStudioSettings(variables: Variables): StudioSettings {
  const settings = readSettings(StudioSettings, variables);
  const problems = checkSettings(settings, variables);
  if (problems.length > 0)
    throw new StartError(`the settings are not right: ${problems.join('; ')}`);
  return settings;
}
