import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { inParallel, open, type AttackTarget, untilClosed } from './raw-client.js';

/** Goes on until the signal says stop. */
export type Attack = (target: AttackTarget, signal: AbortSignal) => Promise<void>;

export const JSON_HEADERS = { 'content-type': 'application/json' };
export const unknownKey = `blocks-${'A'.repeat(43)}`;

const POST = 'POST /identify/batch';

/**
 * Where both services read a body: the users API identifies, the blocks API starts a flow and
 * ignores it.
 */
export const postTo = ({ key = '' }: AttackTarget): string =>
  key.startsWith('blocks-') ? 'POST /v2/flow/any/start' : POST;

/** Opens a connection and holds it, for as long as the other side allows; then another one. */
export async function hold(
  target: AttackTarget,
  signal: AbortSignal,
  use: (socket: Socket) => void,
): Promise<void> {
  const socket = await open(target);
  if (!socket) return void (await pause(20));
  use(socket);
  await untilClosed(socket, signal);
}

/** Sends a text again and again, as fast as answers come: what is read is thrown away. */
export function flood(text: (target: AttackTarget) => string, connections = 64): Attack {
  return (target, signal) =>
    inParallel(connections, signal, () =>
      hold(target, signal, (socket) => {
        const bytes = text(target);
        socket.on('data', () => socket.write(bytes));
        socket.write(bytes);
      }),
    );
}
