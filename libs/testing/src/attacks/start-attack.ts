import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttackName } from './attacks.js';
import type { AttackTarget } from './raw-client.js';

/** The built file: a process of Node cannot run the source. */
const MAIN = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../dist/attacks/main.js');

/**
 * Attacks from another process until the returned function is called; that resolves when the attacker is gone. Resolves
 * when the first connection is open; rejects, then or at the end, for an attacker that failed by itself.
 */
export async function startAttack(name: AttackName, target: AttackTarget): Promise<() => Promise<void>> {
  const attacker = fork(MAIN, [name, JSON.stringify(target)], { stdio: 'inherit', execArgv: [] });
  const gone = once(attacker, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the attacker of ${name} ended with ${String(code)}`);
  });
  await Promise.race([once(attacker, 'message'), gone]);
  return async () => {
    if (attacker.connected) attacker.send('stop');
    await gone;
  };
}
