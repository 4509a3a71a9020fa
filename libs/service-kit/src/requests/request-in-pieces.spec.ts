import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { open, requestText } from '@waymark/testing/attacks';
import { isDropped } from '../overload/index.js';
import { RequestInPieces } from './request-in-pieces.js';

describe('a body that comes in many pieces', () => {
  let server: Server;
  let client: Socket;

  beforeEach(async () => {
    server = createServer({ IncomingMessage: RequestInPieces }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = (await open({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))!;
  });
  afterEach(() => {
    client.destroy();
    server.close().closeAllConnections();
  });

  /** A request with so many pieces, once the request behind it is there. */
  async function sent(pieces: number, look: (request: RequestInPieces) => void, trailers = ''): Promise<RequestInPieces> {
    const arrived: RequestInPieces[] = [];
    server.on('request', (request: RequestInPieces) => {
      if (arrived.push(request) === 1) look(request);
    });
    const body = `${'1\r\nx\r\n'.repeat(pieces)}0\r\n${trailers}\r\n`;
    client.write(
      requestText({ url: '' }, 'POST /', { 'transfer-encoding': 'chunked' }, body + requestText({ url: '' }, 'GET /next')),
    );
    while (arrived.length < 2) await once(server, 'request');
    return arrived[0]!;
  }

  test('is kept while it is read', async () => {
    expect((await sent(5_000, (request) => request.resume())).isCrumbled).toBe(false);
  });

  test('is dropped when these are too many, read or not (R13)', async () => {
    expect((await sent(5_001, (request) => request.resume())).isCrumbled).toBe(true);
  });

  test('is dropped sooner while nobody reads it (R13)', async () => {
    const { isCrumbled, readableLength } = await sent(1_000, () => undefined);
    expect([isCrumbled, readableLength]).toEqual([true, 501]);
  });

  test('ends its connection when hundreds of lines come behind it (R13)', async () => {
    const read = async (lines: number) => sent(1, (request) => request.resume(), 'a:\r\n'.repeat(lines));
    expect(isDropped((await read(200)).socket)).toBe(false);
    server.removeAllListeners('request');
    expect(isDropped((await read(201)).socket)).toBe(true);
  });
});
