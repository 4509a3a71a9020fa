import { isSdk, replaceHost } from './replace-host.mjs';

/**
 * A plugin for Vite (and Rollup): `plugins: [ownHost('https://blocks.example.com')]`. Vite prepares dependencies with
 * another tool before it serves them, where no plugin sees them, so the SDKs are left out of that.
 */
export const ownHost = (host) => ({
  name: 'own-host',
  enforce: 'pre',
  transform: (code, id) => (isSdk(id) ? { code: replaceHost(code, host), map: null } : null),
});
