import { readFile } from 'node:fs/promises';
import { isSdk, replaceHost } from './replace-host.mjs';

/** A plugin for esbuild: `plugins: [ownHost('https://blocks.example.com')]`. */
export const ownHost = (host) => ({
  name: 'own-host',
  setup: (build) =>
    build.onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) =>
      isSdk(path)
        ? { contents: replaceHost(await readFile(path, 'utf8'), host), loader: 'js' }
        : undefined,
    ),
});
