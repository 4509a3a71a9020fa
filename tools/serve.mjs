// Runs a service while it is worked on: builds, starts, and starts it again after each change of
// its sources or those of the libraries. The database is DATABASE_URL or the local stack's, started
// here unless it runs already; several services may be served at once.
// Usage: node tools/serve.mjs users-api
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, projects } from './build.mjs';

const QUIET_MS = 150;
const STOP_TIMEOUT_MS = 10_000;
const PORTS = {
  'users-api': process.env.USERS_PORT ?? '7070',
  'blocks-api': process.env.BLOCKS_PORT ?? '7071',
  studio: process.env.STUDIO_PORT ?? '7072',
};

const name = process.argv[2];
const root = fileURLToPath(new URL('..', import.meta.url));
const parts = (await projects())
  .filter((project) => !(project.name in PORTS) || project.name === name)
  // Of the command its modules are used alone.
  .map((project) => ({ ...project, bundle: project.name === name ? project.bundle : undefined }));
const served = parts.find((project) => project.name === name);
if (!served || !(name in PORTS))
  throw new Error(`serve what? One of ${Object.keys(PORTS).join(', ')}`);

// From the build output, since this tool uses what it builds.
const localStack = path.join(
  parts.find((project) => project.name === 'waymark').out,
  'local-stack',
);
// Ends the service when this process is killed.
const watchdog = path.join(localStack, 'parent-watchdog.js');

const say = (text) => console.log(`serve | ${text}`);
// oxlint-disable-next-line prefer-const -- a signal may come before it is there
let database;
let service;
let isStopping = false;
let isRestarting = false;
let isRestartDue = false;
let quiet;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void leave());

await build(parts);
database = await openDatabase();
await start();
for (const { source, pages } of parts)
  for (const folder of [source, ...(pages ? [pages.source] : [])]) watchSources(folder);

async function openDatabase() {
  const { openDevelopmentDatabase } = await import(
    pathToFileURL(path.join(localStack, 'development-database.js')).href
  );
  try {
    return await openDevelopmentDatabase();
  } catch (error) {
    say(error.message);
    return process.exit(1);
  }
}

async function start() {
  if (isStopping) return;
  const { databaseUrl, usersApiKey, blocksApiKey } = database;
  const env = {
    HOST: '127.0.0.1',
    PORT: PORTS[name],
    METRICS_PORT: '0',
    ...process.env,
    DATABASE_URL: databaseUrl,
  };
  // Ctrl-C at the terminal reaches this process and nx; only this process signals the service,
  // once.
  const args = ['--enable-source-maps', '--import', pathToFileURL(watchdog).href, served.bundle];
  service = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
    env,
  });
  service.once('exit', () => {
    if (!isStopping && !service.isReplaced)
      say(`${name} ended; it starts again after the next change`);
  });
  // The studio prints its address itself.
  if (name === 'studio') return;
  say(
    `${name} on http://${env.HOST}:${env.PORT} with the key ${name === 'users-api' ? usersApiKey : blocksApiKey}`,
  );
}

async function stop() {
  service.isReplaced = true;
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGINT');
  const late = setTimeout(() => service.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await once(service, 'exit');
  clearTimeout(late);
}

/**
 * Waits until an editor or a checkout has written all of its files; changes in the meantime wait
 * for the restart.
 */
function watchSources(source) {
  watch(source, { recursive: true }, (_event, file) => {
    if (!file || /spec\.ts$|\.generated\./.test(file)) return;
    clearTimeout(quiet);
    quiet = setTimeout(() => void restart(), QUIET_MS);
  });
}

async function restart() {
  if (isRestarting) {
    isRestartDue = true;
    return;
  }
  isRestarting = true;
  try {
    await build(parts);
    await stop();
    await start();
  } catch (error) {
    say(`not built: ${error.message}`);
  }
  isRestarting = false;
  if (isRestartDue) {
    isRestartDue = false;
    await restart();
  }
}

async function leave() {
  if (isStopping) return;
  isStopping = true;
  if (service) await stop();
  await database?.stop();
  process.exit(0);
}
