import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { StartError } from '../errors/start-error.js';
import { describedSettings } from './setting.js';

/** Environment variables, those of a process or of a test. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of this process: the one place that services read it from. */
export const processEnvironment = (): Variables => process.env;

/** Injects the settings of the service: `@Inject(SETTINGS) settings: ServiceSettings`. */
export const SETTINGS = Symbol('settings');

/**
 * Reads the settings of a class once. Throws one `StartError` that tells of all problems together, by name and never
 * with values.
 */
export function readSettings<Settings extends object>(settings: Type<Settings>, from: Variables): Settings {
  const read = plainToInstance(settings, from, { excludeExtraneousValues: true });
  const problems = validateSync(read);
  if (problems.length === 0) return read;
  const names = describedSettings(settings);
  const sentences = problems.map((problem) => `${names.get(problem.property)?.name} ${problemOf(problem)}`);
  throw new StartError(`the settings are not right: ${sentences.join('; ')}`);
}

/** One problem a setting is enough, and that it is missing explains all others. */
const problemOf = ({ constraints = {} }: ValidationError): string => constraints['isDefined'] ?? Object.values(constraints)[0]!;
