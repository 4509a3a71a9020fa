import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { post } from './post.js';
import { inPlainWords } from './send-failure.js';

describe('what the network says of a request that came to nothing', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  async function serve(server: Server): Promise<number> {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
  const answering = (answer: (socket: Socket) => void) =>
    serve(createServer((socket) => socket.once('data', () => answer(socket))));
  const nobody: RequestListener = (_, response) => void response.end();
  const send = (url: string) => {
    const settings = { allowPrivateAddresses: true, timeoutMs: 60_000 };
    return post(
      { url: new URL(url), headers: {}, body: '{}' },
      settings,
      new AbortController().signal,
    );
  };

  test('is told in plain words, the code of Node behind them (E6, S19)', async () => {
    const closed = await serve(createServer());
    servers.splice(0).forEach((server) => server.close());
    const cases = [
      [`http://127.0.0.1:${closed}`, 'nothing listens at this address and port (ECONNREFUSED)'],
      [
        `http://127.0.0.1:${await answering((socket) => socket.destroy())}`,
        'the connection was closed without an answer (ECONNRESET)',
      ],
      [
        `http://127.0.0.1:${await answering((socket) => socket.end('hello\r\n'))}`,
        'what answers there does not speak HTTP (HPE_INVALID_CONSTANT)',
      ],
      [
        `https://127.0.0.1:${await serve(createHttpServer(nobody))}`,
        'no TLS connection: wrong version number',
      ],
    ] as const;
    for (const [url, words] of cases)
      await expect(send(url)).rejects.toMatchObject({
        message: words,
        code: /\((\w+)\)$/.exec(words)?.[1] ?? 'webhook.no-tls',
      });
  });

  test.each([
    ['getaddrinfo ENOTFOUND crm.test', 'ENOTFOUND', 'the host name was not found (ENOTFOUND)'],
    [
      'certificate has expired',
      'CERT_HAS_EXPIRED',
      'its certificate has expired (CERT_HAS_EXPIRED)',
    ],
    ['something new', 'ENEW', 'something new (ENEW)'],
  ])('%s', (message, code, words) => {
    expect(inPlainWords(Object.assign(new Error(message), { code }))).toMatchObject({
      code,
      message: words,
    });
  });
});
