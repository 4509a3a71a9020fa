import { parseSettings, type Environment, type ServiceSettings } from '../config/index.js';
import type { ServiceDefinition, ServiceTable } from './service-definition.js';
import { StartError } from '../errors/start-error.js';

/** The settings of a service with what follows from them. */
export interface ReadSettings extends Omit<ServiceSettings, 'docs' | 'metricsPort'> {
  docs: boolean;
  metricsPort: number;
  /** Whether the metrics are served on the port of the service itself. */
  sharesMetrics: boolean;
}

/** Far enough from PORT for some replicas beside each other. */
const METRICS_DISTANCE = 1_000;
const HIGHEST_PORT = 65_535;

/** Reads the table of a service and everything that follows. Throws a `StartError` with all problems together. */
export function readSettings<Table extends ServiceTable>(
  definition: ServiceDefinition<Table>,
  environment: Environment,
): ReadSettings {
  const settings = parseSettings<Table>(definition.settings, environment);
  const problems = definition.check?.(settings) ?? [];
  if (problems.length > 0) throw new StartError(`the settings are not right: ${problems.join('; ')}`);
  const { port, metricsPort, docs, mode } = settings as ServiceSettings;
  return {
    ...(settings as ServiceSettings),
    docs: docs ?? mode !== 'production',
    metricsPort: metricsPort ?? portBeside(port),
    sharesMetrics: metricsPort === port && port !== 0,
  };
}

function portBeside(port: number): number {
  if (port === 0) return 0;
  return port + METRICS_DISTANCE <= HIGHEST_PORT ? port + METRICS_DISTANCE : port - METRICS_DISTANCE;
}
