import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../config/read-settings.js';

/**
 * Waits for a server to listen and returns its URL. Throws a `StartError` that names the setting
 * when it cannot.
 */
export async function listening(
  server: Server,
  setting: string,
  port: number,
  listen: () => Promise<unknown>,
): Promise<string> {
  try {
    await listen();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new StartError(
        `port ${port} is taken; give ${setting} another one (0 is any free port)`,
        { cause: error },
      );
    if (code === 'EACCES')
      throw new StartError(`port ${port} needs privileges; give ${setting} another one`, {
        cause: error,
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`HOST is not an address of this machine (${code})`, { cause: error });
    }
    throw error;
  }
  return urlOf(server.address() as AddressInfo);
}

/** Promises that a plain server listens. */
export const listenPlainly = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

function urlOf({ address, port, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
