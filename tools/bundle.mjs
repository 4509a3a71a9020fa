// Bundles an app with everything it needs, packages too: to read two thousand small modules takes
// longer than all the rest of a start (P11). A service is the one file that is deployed; the
// command is in parts, as each run needs few of them.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesIn, thirdPartyText } from './third-party.mjs';

/** The file beside every bundle that holds the licences of what is in it. */
const THIRD_PARTY = 'THIRD-PARTY.txt';

/** What `waymark mcp` shows to agents. */
const FLOW_DOCS = fileURLToPath(new URL('../docs/flows.md', import.meta.url));

/** Optional packages that others look for; none of them is installed. */
const ABSENT = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/mongoose',
  '@nestjs/platform-express',
  'pg-native',
];

/**
 * What `@nestjs/typeorm` looks for in a TypeORM before version 1. It asks by a `require` that no
 * bundle sees: where packages are installed, that loads all of TypeORM a second time.
 */
const olderTypeorm = {
  name: 'older-typeorm',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, () => ({
      contents: 'export const Connection = undefined, AbstractRepository = undefined;',
    })),
};

/** CommonJS packages ask for Node's own modules by `require`, which ES modules do not have. */
const BANNER = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/** The viewer that shows a service's docs in a browser; served as it is. */
const VIEWER = 'swagger-ui-dist';
const VIEWER_FILES = ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css'];
/** What a bundle that shows docs has in it. */
const SHOWS_DOCS = /node_modules\/@nestjs\/swagger\//;

/** Whether a file holds a part of a bundle, by the hash in its name. */
export const isPart = (name) => /-[A-Z0-9]{8}\.js(\.map)?$/.test(name);

/**
 * The bundles of entries and their source maps as `{ [file]: content }`, `info` being what it says
 * of itself, with the licences of all packages in it, and with what the service sends to browsers.
 * `inParts`: what is imported dynamically is in files of its own beside the entries; `packages`:
 * folders of those that it serves. Not minified, so that stack traces can be read; without
 * `keepNames`, which adds a call to every closure.
 */
export async function bundle(
  entries,
  outdir,
  info,
  { inParts = false, packages: others = [] } = {},
) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries(entries.map((file) => [path.basename(file, '.js'), file])),
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    splitting: inParts,
    chunkNames: '[name]-[hash]',
    // What a package has as ES modules is taken from it piece by piece: of class-validator without
    // its telephone numbers.
    mainFields: inParts ? ['module', 'main'] : ['main', 'module'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    external: ABSENT,
    plugins: [olderTypeorm],
    banner: { js: BANNER },
    define: {
      WAYMARK_BUILD: JSON.stringify(info),
      WAYMARK_FLOW_DOCS: JSON.stringify(await readFile(FLOW_DOCS, 'utf8')),
    },
    logLevel: 'error',
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path, contents }) => [path, Buffer.from(contents)]),
  );
  const viewer = Object.keys(metafile.inputs).some((file) => SHOWS_DOCS.test(file))
    ? findViewer()
    : undefined;
  if (viewer) Object.assign(files, await copyOfViewer(viewer, path.join(outdir, 'docs')));
  const packages = [...packagesIn(metafile), ...(viewer ? [viewer] : []), ...others];
  return {
    ...files,
    [path.join(outdir, THIRD_PARTY)]: Buffer.from(await thirdPartyText(packages)),
  };
}

const findViewer = () =>
  path.dirname(createRequire(import.meta.url).resolve(`${VIEWER}/package.json`));

async function copyOfViewer(folder, out) {
  const copies = VIEWER_FILES.map(async (file) => [
    path.join(out, file),
    await readFile(path.join(folder, file)),
  ]);
  return Object.fromEntries(await Promise.all(copies));
}

/** What `/elements.js` is made of; the panel for developers is loaded on demand. */
const PANEL = { path: './elements-debug.js', external: true };
const panelBeside = {
  name: 'panel-beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/debug\/panel\.js$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? PANEL : undefined,
    ),
};

/**
 * The scripts that blocks-api serves to pages, from the modules of `@waymark/elements`, as `{
 * [name]: content }`, with the folders of the packages in them.
 */
export async function bundleElements(modules) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: {
      elements: path.join(modules, 'tag/tag.js'),
      'elements-debug': path.join(modules, 'debug/panel.js'),
    },
    outdir: modules,
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    legalComments: 'none',
    plugins: [panelBeside],
    logLevel: 'error',
  });
  const scripts = Object.fromEntries(
    outputFiles.map(({ path: file, contents }) => [path.basename(file), Buffer.from(contents)]),
  );
  return { scripts, packages: packagesIn(metafile) };
}

/**
 * The pages of a folder for a browser, as `{ [file]: content }`: `main.tsx`, `see-it/see-it.ts` and
 * `preview/preview.ts` with their styles, whatever it loads later in files of their own, pictures,
 * and `index.html` with the names of these, which hold a hash of the content.
 */
export async function bundlePages(folder, out) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: {
      main: path.join(folder, 'main.tsx'),
      'see-it': path.join(folder, 'see-it/see-it.ts'),
      preview: path.join(folder, 'preview/preview.ts'),
    },
    outdir: out,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    loader: { '.svg': 'file', '.yaml': 'text' },
    alias: { 'flow-examples': fileURLToPath(new URL('../examples/flows', import.meta.url)) },
    legalComments: 'none',
    logLevel: 'error',
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path: file, contents }) => [file, Buffer.from(contents)]),
  );
  const main = Object.values(metafile.outputs).find(({ entryPoint }) =>
    entryPoint?.endsWith('main.tsx'),
  );
  const script = path.basename(
    Object.entries(metafile.outputs).find(([, output]) => output === main)[0],
  );
  const icon = Object.keys(metafile.outputs).find((file) => /icon-\w+\.svg$/.test(file));
  const names = { script, style: path.basename(main.cssBundle), icon: path.basename(icon) };
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  const html = page.replace(/\{(script|style|icon)\}/g, (_, name) => `/assets/${names[name]}`);
  const licences = Buffer.from(await thirdPartyText(packagesIn(metafile)));
  return {
    ...files,
    [path.join(out, 'index.html')]: Buffer.from(html),
    [path.join(out, THIRD_PARTY)]: licences,
  };
}
