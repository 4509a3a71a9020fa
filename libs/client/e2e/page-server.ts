import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Serves files, the page itself for `/`, on a free port; with the policy where one is given. */
export async function servePages(
  find: (pathname: string, query: URLSearchParams) => Promise<string | Buffer | null>,
  policy?: string,
) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const content = await find(pathname, searchParams);
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    response.writeHead(content === null ? 404 : 200, {
      'content-type': TYPES[path.extname(pathname)] ?? 'text/html',
    });
    response.end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
