import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { open, requestText } from '@waymark/testing/attacks';
import { dropBody } from './drop-body.js';

describe('a body that is dropped', () => {
  let server: Server;
  let client: Socket;

  const arrival = async (): Promise<IncomingMessage> => ((await once(server, 'request')) as [IncomingMessage])[0];
  const connect = async (): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    return (await open({ url: `http://127.0.0.1:${port}` }))!;
  };
  const CHUNKED = { 'transfer-encoding': 'chunked' };
  const crumbs = `${'1\r\nx\r\n'.repeat(1_000)}0\r\n\r\n`;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = await connect();
  });
  afterEach(() => {
    client.destroy();
    server.close().closeAllConnections();
  });

  test('costs nothing for the pieces that Node has read already (R13)', async () => {
    let handedOver = 0;
    server.once('request', (request: IncomingMessage) => {
      dropBody(request);
      request.push = (piece: Buffer | null) => (piece && handedOver++, false);
    });
    const behind = new Promise((resolve) => server.on('request', ({ url }) => url === '/next' && resolve(url)));
    client.write(requestText({ url: '' }, 'POST /crumbs', CHUNKED, crumbs + requestText({ url: '' }, 'GET /next')));
    await behind;
    expect(handedOver).toBe(0);
  });

  test('leaves nothing behind for the connection that is read next', async () => {
    const first = arrival();
    client.write(requestText({ url: '' }, 'POST /crumbs', CHUNKED, '1\r\nx\r\n'));
    const { socket } = await first;
    dropBody(await first);
    socket.destroy();
    await once(socket, 'close');
    const next = arrival();
    client = await connect();
    client.write(requestText({ url: '' }, 'POST /next', CHUNKED, '2\r\nab\r\n0\r\n\r\n'));
    expect(await text(await next)).toBe('ab');
  });
});
