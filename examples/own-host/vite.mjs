import { ownHost as ownHostForEsbuild } from './esbuild.mjs';
import { isSdk, replaceHost } from './replace-host.mjs';

/**
 * A plugin for Vite 4 to 8: `plugins: [ownHost('https://blocks.example.com')]`. What Vite prepares
 * of the dependencies before it serves them in development needs a plugin as well: of Rolldown
 * since Vite 8, of esbuild before. Its name has the host in it so that Vite prepares them anew when
 * the host changes.
 */
export function ownHost(host) {
  const rollup = {
    name: `own-host ${host}`,
    transform: (code, id) => (isSdk(id) ? { code: replaceHost(code, host), map: null } : null),
  };
  const esbuild = { ...ownHostForEsbuild(host), name: rollup.name };
  return {
    ...rollup,
    config() {
      const plugins = this?.meta?.rolldownVersion
        ? { rolldownOptions: { plugins: [rollup] } }
        : { esbuildOptions: { plugins: [esbuild] } };
      return { optimizeDeps: plugins };
    },
  };
}
