import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that is free now, for what is to listen there later, or again and again. Below those that
 * the system gives to any caller: one of these may be somebody else's the next moment.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  await once(server.close(), 'close');
  return port;
}
