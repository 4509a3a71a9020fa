import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { say } from './log.js';

/** Behind the ports of the stack; any free one where that is taken. */
const PORT = 7073;
/** Shown of a body. */
const MOST_CHARACTERS = 2_000;

interface DemoReceiver {
  /** Without a slash at its end. */
  readonly url: string;
  readonly exited: Promise<unknown>;
  stop(): Promise<unknown>;
}

/**
 * Accepts the webhooks of the demo flows and shows them in the log: nothing of the demo fails, and
 * what is sent can be seen.
 */
export async function openDemoReceiver(): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    void show(request).finally(() => response.writeHead(204).end());
  });
  await listen(server, PORT).catch(() => listen(server, 0));
  const exited = once(server, 'close');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exited,
    stop() {
      server.close();
      server.closeAllConnections();
      return exited;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
}

async function show(request: IncomingMessage): Promise<void> {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > MOST_CHARACTERS) break;
  }
  say('webhook', `${request.method} ${request.url} ${body.slice(0, MOST_CHARACTERS)}`);
}
