// Bundles a service with everything it needs, packages too, into the one file that is deployed: to read two thousand
// small modules takes longer than all the rest of a start (P11).

/** What packages look for in case it is installed; it is not. */
const ABSENT = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/mongoose',
  '@nestjs/platform-express',
  'pg-native',
];

/** CommonJS packages ask for Node's own modules by `require`, which ES modules do not have. */
const BANNER = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/**
 * The bundle of an entry and its source map as `{ [file]: content }`. Not minified, so that stack traces
 * can be read; without `keepNames`, which costs every closure a call.
 */
export async function bundle(entry, out) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile: out,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    external: ABSENT,
    banner: { js: BANNER },
    logLevel: 'error',
  });
  return Object.fromEntries(outputFiles.map(({ path, contents }) => [path, Buffer.from(contents)]));
}
