import type { ServiceSettings } from '../config/index.js';

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
  return port + METRICS_DISTANCE <= HIGHEST_PORT ? port + METRICS_DISTANCE : port - METRICS_DISTANCE;
}
