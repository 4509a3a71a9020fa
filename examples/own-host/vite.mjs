import { isSdk, replaceHost } from './replace-host.mjs';

/**
 * A plugin for Vite 8: `plugins: [ownHost('https://blocks.example.com')]`. What Vite prepares of the dependencies before
 * it serves them in development needs the plugin as well; its name has the host in it so that Vite prepares them anew
 * when the host changes.
 */
export function ownHost(host) {
  const rollup = {
    name: `own-host ${host}`,
    transform: (code, id) => (isSdk(id) ? { code: replaceHost(code, host), map: null } : null),
  };
  return { ...rollup, config: () => ({ optimizeDeps: { rolldownOptions: { plugins: [rollup] } } }) };
}
