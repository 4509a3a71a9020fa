import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Runs pgbench, the load generator of PostgreSQL, to compare services with what the database alone
// can do.

/** Debian has it in the package `postgresql-contrib`. */
export const hasPgbench = () => spawnSync('pgbench', ['--version']).status === 0;

/**
 * Transactions of `pgbench -M prepared -j 1` with a script, for so many seconds or so many of
 * `each` connection: `{ rate, answered }`, a second and in all.
 */
export async function pgbench({ url, script, connections, seconds, each }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-pgbench-'));
  const file = path.join(folder, 'script.sql');
  await writeFile(file, script);
  const options = [
    '-n',
    '-M',
    'prepared',
    '-c',
    connections,
    '-j',
    1,
    ...(each ? ['-t', each] : ['-T', seconds]),
    '-f',
    file,
    url,
  ].map(String);
  const child = spawn('pgbench', options, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  await rm(folder, { recursive: true });
  const found = /tps = ([\d.]+)/.exec(output);
  if (!found) throw new Error(`pgbench failed: ${output.slice(0, 500)}`);
  const answered = Number(/actually processed: (\d+)/.exec(output)[1]);
  return { rate: Number(found[1]), answered };
}
