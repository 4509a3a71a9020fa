import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childVariables } from '../config/build.js';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { built } from './service-process.js';

/** Runs the studio until it is stopped, in a process of its own that writes where this one does. */
export async function runStudio(settings: Record<string, string>): Promise<void> {
  const args = [
    '--enable-source-maps',
    '--import',
    built('./parent-watchdog.js'),
    built('../studio/main.js'),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: childVariables(settings),
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new CommandRefusal('the studio ended; the lines above say why');
}
