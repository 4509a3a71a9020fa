// Transpiles projects with SWC: libs to libs/*/dist, apps to dist/apps/*. Types are checked by `npm run check`.
// Usage: node tools/build.mjs [project ...]   (all projects when none is named)
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false, verbatimModuleSyntax: true },
  },
};

/** Every project of the workspace with its source and output folders. */
export async function projects() {
  const found = [];
  for (const kind of ['libs', 'apps']) {
    for (const name of await readdir(path.join(root, kind))) {
      const source = path.join(root, kind, name, 'src');
      if (!existsSync(source)) continue;
      const out = kind === 'libs' ? path.join(root, kind, name, 'dist') : path.join(root, 'dist/apps', name);
      found.push({ name, source, out });
    }
  }
  return found;
}

/** Types of every generated parser, all that is used of them. What `parse` returns is up to the grammar. */
const parserTypes = `export function parse(text: string, options?: object): unknown;
export class SyntaxError extends Error {
  location: { start: { line: number; column: number; offset: number } };
  /** Null for what the grammar refuses by itself, with \`error\`. */
  expected: { type: string; description?: string; text?: string }[] | null;
  found: string | null;
}
`;

/** Writes `x.generated.js` and its types beside every `x.peggy` below a folder. */
async function generateGrammars(source) {
  const grammars = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.peggy'));
  if (grammars.length === 0) return;
  const { default: peggy } = await import('peggy');
  for (const grammar of grammars) {
    const target = path.join(source, grammar.replace(/\.peggy$/, '.generated'));
    const text = await readFile(path.join(source, grammar), 'utf8');
    await writeFile(`${target}.js`, peggy.generate(text, { output: 'source', format: 'es', grammarSource: grammar }));
    await writeFile(`${target}.d.ts`, parserTypes);
  }
}

/** Builds one project from scratch; files that are not TypeScript are copied. */
export async function build({ source, out }) {
  const swc = await import('@swc/core');
  await generateGrammars(source);
  await rm(out, { recursive: true, force: true });
  const files = (await readdir(source, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  await Promise.all(
    files.map(async (entry) => {
      const from = path.join(entry.parentPath, entry.name);
      const to = path.join(out, path.relative(source, from));
      if (/(spec|\.d|\.peggy)\.ts$|\.peggy$/.test(entry.name)) return;
      await mkdir(path.dirname(to), { recursive: true });
      if (!entry.name.endsWith('.ts')) return cp(from, to);
      const js = to.replace(/\.ts$/, '.js');
      const { code, map } = await swc.transformFile(from, {
        ...swcOptions,
        sourceFileName: path.relative(path.dirname(js), from),
      });
      await writeFile(js, `${code}\n//# sourceMappingURL=${path.basename(js)}.map\n`);
      await writeFile(`${js}.map`, map);
    }),
  );
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
    throw new Error(`no such project: ${unknown.join(', ')} (there are ${all.map((p) => p.name).join(', ')})`);
  await Promise.all(all.filter((project) => names.length === 0 || names.includes(project.name)).map(build));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
