import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What an attack is aimed at. */
export interface AttackTarget {
  readonly url: string;
  /** Sent as `x-api-key`; an attack without one is a stranger's. */
  readonly key?: string;
}

/**
 * Attackers are elsewhere than honest clients; on other systems this machine has one address of the
 * kind only.
 */
const OWN_ADDRESS = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

let tellFirst = (): void => {};
/** Resolves with the first connection of this process: the attack has begun. */
export const firstConnection = new Promise<void>((resolve) => (tellFirst = resolve));

/** A plain connection whose errors are no matter: what is attacked may cut it at any time. */
export async function open({ url }: AttackTarget): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, ...OWN_ADDRESS });
  const failed = new Promise<undefined>((resolve) => socket.on('error', () => resolve(undefined)));
  const opened = once(socket, 'connect').then(
    () => (tellFirst(), socket),
    () => undefined,
  );
  return Promise.race([opened, failed]);
}

/** The text of a request; the key of the target is added. */
export function requestText(
  { key }: AttackTarget,
  line: string,
  headers: Record<string, string | number> = {},
  body = '',
): string {
  const all = { host: 'attacked', ...(key !== undefined && { 'x-api-key': key }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

/**
 * A frame of WebSocket as clients send it; the mask is all zeros, so that the text stays as it is.
 */
export function frameOf(kind: 'text' | 'ping' | 'begun' | 'continued', text: string): Buffer {
  const opcode = { text: 0x81, ping: 0x89, begun: 0x01, continued: 0x00 }[kind];
  const { length } = Buffer.from(text);
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...size, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** Runs that many loops at once, each until the signal says stop. */
export async function inParallel(
  count: number,
  signal: AbortSignal,
  loop: () => Promise<void>,
): Promise<void> {
  const run = async (): Promise<void> => {
    while (!signal.aborted) await loop();
  };
  await Promise.all(Array.from({ length: count }, run));
}

/** Resolves when the connection is closed or the signal says stop, and destroys it. */
export async function untilClosed(socket: Socket, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    if (signal.aborted || socket.destroyed) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  socket.destroy();
}
