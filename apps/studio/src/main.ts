import { fileURLToPath } from 'node:url';
import { processEnvironment, StartError } from '@waymark/service-kit/config';
import { startStudio } from './start-studio.js';

/** The built pages, beside the bundle of the server. */
const PAGES = fileURLToPath(new URL('./pages', import.meta.url));

try {
  const environment = processEnvironment();
  const studio = await startStudio(environment, PAGES);
  // The process that passed the token prints the address.
  if (!environment['STUDIO_TOKEN']) process.stdout.write(`the studio is at ${studio.address}\n`);
  const stop = (): void => void studio.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
} catch (error) {
  const text =
    error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`studio: ${text}\n`, () => process.exit(1));
}
