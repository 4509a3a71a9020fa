import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { exampleFolder } from '@waymark/testing/browser';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/**
 * Builds the example, or another page of its component `App` with everything that the example has
 * installed.
 */
const BUILD = `
  const { build } = await import('vite');
  const [, outDir, code] = process.argv;
  const load = (id) => (code && id.endsWith('/src/app.jsx') ? code : null);
  const page = { name: 'page', enforce: 'pre', load };
  await build({ logLevel: 'error', plugins: [page], build: { outDir, emptyOutDir: true } });`;

/** The example application as it is deployed: built for one host, served as files. */
export interface ExampleApp {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * With a `tokenUrl` the page asks there for the token of its user; `page` is JSX that exports
 * another component `App`.
 */
export async function startExampleApp(
  blocksUrl: string,
  blocksKey: string,
  { tokenUrl = '', page = '' }: { tokenUrl?: string; page?: string } = {},
): Promise<ExampleApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-example-'));
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUILD, folder, page], {
    cwd: exampleFolder('react-modal'),
    env: { BLOCKS_URL: blocksUrl, BLOCKS_KEY: blocksKey, TOKEN_URL: tokenUrl },
  });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(folder, pathname === '/' ? 'index.html' : path.normalize(pathname));
    const content = await readFile(file).catch(() => null);
    response.writeHead(content ? 200 : 404, {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    });
    response.end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
