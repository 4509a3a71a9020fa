import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { describedSettings, type SettingDescription, type SettingsClass } from './setting.js';
import type { ServiceSettings } from './service-settings.js';

/** Environment variables, those of a process or of a test. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of this process: the one place that services read it from. */
export const processEnvironment = (): Variables => process.env;

/** Injects the settings of the service: `@Inject(SETTINGS) settings: ServiceSettings`. */
export const SETTINGS = Symbol('settings');

/**
 * Thrown when a service cannot start for a reason that its operator can mend: one sentence that
 * says what to do.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Reads the settings of a class once. Throws one `StartError` with all problems together, by name
 * and never with values.
 */
export function readSettings<Settings extends object>(
  settings: Type<Settings>,
  from: Variables,
): Settings {
  const read = plainToInstance(settings, from, { excludeExtraneousValues: true });
  const problems = validateSync(read);
  if (problems.length === 0) return read;
  const names = describedSettings(settings);
  const sentences = problems.map(
    (problem) => `${names.get(problem.property)?.name} ${problemOf(problem)}`,
  );
  throw new StartError(`the settings are not right: ${sentences.join('; ')}`);
}

/** One problem a setting is enough, and that it is missing explains all others. */
const problemOf = ({ constraints = {} }: ValidationError): string =>
  constraints['isDefined'] ?? Object.values(constraints)[0]!;

const cell = (text: string): string => text.replaceAll('|', '\\|');

/**
 * The settings as an environment file: those that must be given are empty, the others are commented
 * out.
 */
export const exampleSettings = (settings: readonly SettingDescription[]): string =>
  settings
    .map(({ name, description, ...about }) => {
      return `# ${description}\n${isRequired(about) ? '' : '#'}${name}=${about.default ?? ''}`;
    })
    .join('\n\n');

const isRequired = (about: Omit<SettingDescription, 'name' | 'description'>): boolean =>
  about.default === undefined && !about.optional && !about.neededWhen;

/**
 * The settings of a class for the docs, without those of `inherited`, which are documented
 * elsewhere.
 */
export function listSettings(
  settings: SettingsClass,
  inherited?: SettingsClass,
): SettingDescription[] {
  const described = inherited ? describedSettings(inherited) : new Map();
  return [...describedSettings(settings)].flatMap(([member, about]) =>
    described.has(member) ? [] : [about],
  );
}

/** The settings as a Markdown table: name, default, meaning. */
export function describeSettings(settings: readonly SettingDescription[]): string {
  const rows = settings.map(({ name, description, ...about }) => {
    const fallback =
      about.default === undefined ? (isRequired(about) ? 'required' : '') : `\`${about.default}\``;
    return `| \`${name}\` | ${fallback} | ${cell(description)} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The settings of a service with what follows from them. */
export interface EffectiveSettings extends Omit<ServiceSettings, 'docs' | 'metricsPort'> {
  docs: boolean;
  metricsPort: number;
  /** Whether the metrics are served on the port of the service itself. */
  sharesMetrics: boolean;
}

/** Far enough from PORT for some replicas beside each other. */
const METRICS_DISTANCE = 1_000;
const HIGHEST_PORT = 65_535;

/** What the settings mean where they leave something open. */
export const effectiveSettings = (settings: ServiceSettings): EffectiveSettings => ({
  ...settings,
  docs: settings.docs ?? settings.mode !== 'production',
  metricsPort: settings.metricsPort ?? portBeside(settings.port),
  sharesMetrics: settings.metricsPort === settings.port && settings.port !== 0,
});

function portBeside(port: number): number {
  if (port === 0) return 0;
  return port + METRICS_DISTANCE <= HIGHEST_PORT
    ? port + METRICS_DISTANCE
    : port - METRICS_DISTANCE;
}
