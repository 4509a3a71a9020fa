import { processEnvironment } from '../config/index.js';
import { bootstrap } from './bootstrap.js';
import type { RunningService } from './running-service.js';
import type { ServiceDefinition } from './service-definition.js';
import { StartError } from '../errors/start-error.js';

/**
 * The life of a process that is one service: starts it, or says in one sentence why not and exits 1. SIGTERM ends it
 * after the grace, Ctrl-C at once; both finish what runs and exit 0.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  try {
    const service = await bootstrap(definition, processEnvironment());
    process.once('SIGTERM', () => void end(service, service.graceMs));
    process.once('SIGINT', () => void end(service, 0));
  } catch (error) {
    const text = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`${definition.name}: ${text}\n`, () => process.exit(1));
  }
}

async function end(service: RunningService, graceMs: number): Promise<void> {
  await service.stop({ graceMs });
  process.exit(0);
}
