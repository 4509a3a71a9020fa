// Transpiles projects with SWC: libs to libs/*/dist, apps to dist/apps/*/modules, of which each
// gets one bundle, dist/apps/*/main.js, with what else is started or loaded beside it. Pages for a
// browser are bundled to dist/apps/*/pages. Types are checked by `npm run check`.
// Usage: node tools/build.mjs [project ...]   (all projects when none is named)
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { buildInfo } from './build-info.mjs';
import { bundle, bundleElements, bundlePages, isPart } from './bundle.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The options that Nest's decorators need; Jest uses the same ones. */
export const swcOptions = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
      verbatimModuleSyntax: true,
    },
  },
};

/**
 * Every project of the workspace with its source and output folders, apps with the file of their
 * bundle.
 */
export async function projects() {
  const found = [];
  for (const name of await readdir(path.join(root, 'libs'))) {
    const folder = path.join(root, 'libs', name);
    found.push({
      name,
      source: path.join(folder, 'src'),
      out: path.join(folder, 'dist'),
      isPublished: await isPublished(folder),
    });
  }
  for (const name of await readdir(path.join(root, 'apps'))) {
    const out = path.join(root, 'dist/apps', name);
    const pages = path.join(root, 'apps', name, 'pages');
    found.push({
      name,
      source: path.join(root, 'apps', name, 'src'),
      out: path.join(out, 'modules'),
      bundle: path.join(out, 'main.js'),
      isCommand: name === 'waymark',
      // What it serves to pages.
      ...(name === 'blocks-api' && { elements: path.join(root, 'libs/elements/dist') }),
      ...(existsSync(pages) && { pages: { source: pages, out: path.join(out, 'pages') } }),
    });
  }
  return found.filter(({ source }) => existsSync(source));
}

/** A published package contains its types. */
async function isPublished(folder) {
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8').catch(
    () => '{"private":true}',
  );
  return JSON.parse(manifest).private !== true;
}

/**
 * Types of every generated parser, all that is used of them. What `parse` returns is up to the
 * grammar.
 */
const parserTypes = `export function parse(text: string, options?: object): unknown;
export class SyntaxError extends Error {
  location: { start: { line: number; column: number; offset: number } };
  /** Null where the grammar itself refuses, by calling \`error\`. */
  expected: { type: string; description?: string; text?: string }[] | null;
  found: string | null;
}
`;

/** Writes `x.generated.js` and its types beside every `x.peggy` below a folder. */
async function generateGrammars(source) {
  const grammars = (await readdir(source, { recursive: true })).filter((file) =>
    file.endsWith('.peggy'),
  );
  if (grammars.length === 0) return;
  const { default: peggy } = await import('peggy');
  for (const grammar of grammars) {
    const target = path.join(source, grammar.replace(/\.peggy$/, '.generated'));
    const text = await readFile(path.join(source, grammar), 'utf8');
    const parser = peggy.generate(text, { output: 'source', format: 'es', grammarSource: grammar });
    await put(`${target}.js`, Buffer.from(parser));
    await put(`${target}.d.ts`, Buffer.from(parserTypes));
  }
}

/**
 * Replaces a file in one go, and only where it differs: whoever runs the output, or builds at the
 * same time, never meets half of it.
 */
async function put(file, content) {
  const before = await readFile(file).catch(() => undefined);
  if (before?.equals(content)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, content);
  await rename(draft, file);
}

/** Output files of one source file by name; files that are not TypeScript are copied. */
async function transpile(from, to, isPublished) {
  const swc = await import('@swc/core');
  if (/(spec|\.d)\.ts$|\.peggy$/.test(from)) return {};
  if (!from.endsWith('.ts')) return { [to]: await readFile(from) };
  const types = isPublished ? await declare(from, to.replace(/\.ts$/, '.d.ts')) : {};
  const js = to.replace(/\.ts$/, '.js');
  const { code, map } = await swc.transformFile(from, {
    ...swcOptions,
    sourceFileName: path.relative(path.dirname(js), from),
  });
  // It has no source maps: bundlers and browsers would look for sources that are not published.
  if (isPublished) return { [js]: Buffer.from(code), ...types };
  const link = `//# sourceMappingURL=${path.basename(js)}.map`;
  return { [js]: Buffer.from(`${code}\n${link}\n`), [`${js}.map`]: Buffer.from(map), ...types };
}

/** The types of one file, as they are written in it: what it exports has to state its types. */
async function declare(from, to) {
  const { default: ts } = await import('typescript');
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    verbatimModuleSyntax: true,
    useDefineForClassFields: false,
  };
  const { outputText } = ts.transpileDeclaration(await readFile(from, 'utf8'), {
    fileName: from,
    compilerOptions,
  });
  return { [to]: Buffer.from(outputText) };
}

/** Builds projects; bundles are made of what is built already, of libs that are not among them. */
export async function build(list) {
  await Promise.all(list.map(transpileAll));
  const info = await buildInfo(root);
  await Promise.all(list.filter((one) => one.bundle).map((one) => buildBundle(one, info)));
  for (const { pages } of list) if (pages) await buildPages(pages);
}

/**
 * What Node is started with: the app, the thread of the studio, the watchdog of what the command
 * starts.
 */
const ENTRIES = ['main.js', 'reader.js', 'local-stack/parent-watchdog.js'];
const entriesOf = ({ out }) => ENTRIES.map((name) => path.join(out, name)).filter(existsSync);

/** What runs since before a build, such as `npm start`, may load its parts as long. */
const KEPT_MS = 24 * 3_600_000;

/** Parts come before what loads them. Those that no bundle had for a day are deleted. */
async function buildBundle(project, info) {
  const outdir = path.dirname(project.bundle);
  const elements = project.elements && (await bundleElements(project.elements));
  const outputs = await bundle(entriesOf(project), outdir, info, {
    inParts: project.isCommand,
    packages: elements?.packages,
  });
  for (const [name, content] of Object.entries(elements?.scripts ?? {}))
    outputs[path.join(outdir, 'elements', `${name}.gz`)] = gzipSync(content, { level: 9 });
  const ordered = Object.entries(outputs).sort(([a], [b]) => Number(isPart(b)) - Number(isPart(a)));
  for (const [file, content] of ordered) await put(file, content);
  const parts = (await readdir(outdir)).filter(isPart).map((name) => path.join(outdir, name));
  const now = Date.now();
  await Promise.all(
    parts.map(async (file) => {
      if (file in outputs) await utimes(file, now / 1_000, now / 1_000);
      else if ((await stat(file).catch(() => undefined))?.mtimeMs < now - KEPT_MS)
        await rm(file, { force: true });
    }),
  );
}

/** Files of an earlier build are deleted; a page that is still open is asked to reload. */
async function buildPages({ source, out }) {
  const outputs = await bundlePages(source, out);
  for (const [file, content] of Object.entries(outputs)) await put(file, content);
  const stale = (await listFiles(out)).filter(
    (file) => !(file in outputs) && !file.endsWith('.new'),
  );
  await Promise.all(stale.map((file) => rm(file, { force: true })));
}

/** Deletes output whose source is gone. */
async function transpileAll({ source, out, isPublished }) {
  await generateGrammars(source);
  const files = await listFiles(source);
  const written = await Promise.all(
    files.map(async (from) => {
      const outputs = await transpile(
        from,
        path.join(out, path.relative(source, from)),
        isPublished,
      );
      for (const [file, content] of Object.entries(outputs)) await put(file, content);
      return Object.keys(outputs);
    }),
  );
  const current = new Set(written.flat());
  const stale = (await listFiles(out)).filter(
    (file) => !current.has(file) && !file.endsWith('.new'),
  );
  await Promise.all(stale.map((file) => rm(file, { force: true })));
}

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function main(names) {
  if (!existsSync(path.join(root, 'node_modules/@swc/core'))) {
    // `npm ci --omit=dev` runs `prepare` too; there the build output comes from elsewhere.
    console.error('build: @swc/core is not installed (a production install), nothing was built');
    return;
  }
  const all = await projects();
  const unknown = names.filter((name) => !all.some((project) => project.name === name));
  if (unknown.length > 0)
    throw new Error(
      `no such project: ${unknown.join(', ')} (there are ${all.map((p) => p.name).join(', ')})`,
    );
  await build(all.filter((project) => names.length === 0 || names.includes(project.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
