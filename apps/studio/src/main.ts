import { processEnvironment } from '@waymark/service-kit/config';
import { StartError } from '@waymark/service-kit/errors';
import { PAGES } from './service.js';
import { startStudio } from './start-studio.js';

try {
  const environment = processEnvironment();
  const studio = await startStudio(environment, PAGES);
  // Whoever gave the token prints the address.
  if (!environment['STUDIO_TOKEN']) process.stdout.write(`the studio is at ${studio.address}\n`);
  const stop = (): void => void studio.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
} catch (error) {
  const text = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`studio: ${text}\n`, () => process.exit(1));
}
