import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { exampleFolder } from '@waymark/testing/browser';
import { build } from 'esbuild';

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Of this workspace: where the example is installed it has a React of its own, and a page must not
 * have two.
 */
const packageFolder = (name: string): string =>
  path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

/** The example application of @waymark/client, built for a blocks API and served. */
export async function serveExample(
  blocksUrl: string,
  key: string,
): Promise<{ url: string; close(): void }> {
  const folder = exampleFolder('app');
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'src/main.tsx')],
    outdir: '/',
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    alias: { react: packageFolder('react'), 'react-dom': packageFolder('react-dom') },
    define: { __BLOCKS_URL__: JSON.stringify(blocksUrl), __BLOCKS_KEY__: JSON.stringify(key) },
  });
  const html = (await readFile(path.join(folder, 'index.html'), 'utf8')).replace(
    '/src/main.tsx',
    '/main.js',
  );
  const files = new Map(outputFiles.map((file) => [file.path, file.text]));
  files.set('/', html.replace('</head>', '<link rel="stylesheet" href="/main.css" /></head>'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    response.writeHead(files.has(pathname) ? 200 : 404, {
      'content-type': TYPES[path.extname(pathname)] ?? 'text/html',
    });
    response.end(files.get(pathname));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
