import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minify } from '@swc/core';
import { build as bundle } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const client = path.join(root, 'libs/client');

/** What ADR 24 allows. */
const CORE_BYTES = 4_000;
const REACT_BYTES = 1_000;
/** As Next.js builds it, where names repeat more often. */
const CORE_BYTES_BY_SWC = 3_800;

const CORE = "export { createWaymark } from '@waymark/client';";
const sizeOf = (code: string): number => gzipSync(code, { level: 9 }).length;

/** What reaches a browser, as esbuild makes it. */
async function bundleOf(text: string, external: string[] = []): Promise<string> {
  const { outputFiles } = await bundle({
    stdin: { contents: text, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['react', ...external],
  });
  return outputFiles[0]!.text;
}

let folder: string;
let archive: string;
beforeAll(() => {
  execFileSync(process.execPath, ['tools/build.mjs', 'client', 'elements', 'blocks-api'], {
    cwd: root,
  });
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-pack-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: client,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  archive = path.join(folder, readdirSync(folder)[0]!);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('@waymark/client', () => {
  test('weighs at most 4 kB, and React with RichText 1 kB more (C8, ADR 24)', async () => {
    const core = await bundleOf(CORE);
    const react = await bundleOf(`${CORE} export * from '@waymark/client/react';`);
    expect(sizeOf(core)).toBeLessThanOrEqual(CORE_BYTES);
    expect(sizeOf(react) - sizeOf(core)).toBeLessThanOrEqual(REACT_BYTES);
    const { code } = await minify(core, {
      module: true,
      compress: { toplevel: true },
      mangle: { toplevel: true },
    });
    expect(sizeOf(code)).toBeLessThanOrEqual(CORE_BYTES_BY_SWC);
  });

  test('is packed without sources, maps and tests (C8)', () => {
    const files = execFileSync('tar', ['tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    const others = files.filter((file) => !/^package\/dist\/[a-z/-]+\.(js|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
    expect(execFileSync('tar', ['xzOf', archive], { encoding: 'utf8' })).not.toContain(
      'sourceMappingURL',
    );
    expect(files).toEqual(
      expect.arrayContaining(['package/dist/index.js', 'package/dist/react/index.d.ts']),
    );
    expect(JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'))).not.toHaveProperty(
      'dependencies',
    );
  });

  test('is found by every resolver with its types: publint and attw have nothing to say (C8)', () => {
    const run = (command: string, args: string[]): string =>
      execFileSync(path.join(root, 'node_modules/.bin', command), args, {
        cwd: client,
        encoding: 'utf8',
      });
    expect(run('publint', ['run', archive, '--strict'])).toContain('All good');
    // It is an ES module: `require` loads it from Node 20.19 on, and fails in earlier releases.
    expect(
      JSON.parse(run('attw', [archive, '--profile', 'esm-only', '--format', 'json'])),
    ).toMatchObject({ problems: {} });
  });
});

describe('@waymark/elements', () => {
  /** Gzipped; the parts add up to more than the whole. */
  const PARTS = {
    client: [CORE, CORE_BYTES],
    geometry: [
      "export { arrow, autoUpdate, computePosition, flip, hide, offset, shift } from '@floating-ui/dom';",
      7_500,
    ],
    looks: ["export { STYLES } from './libs/elements/dist/drawing/styles.js';", 4_000],
    words: ["export { wordsOf } from './libs/elements/dist/texts/words.js';", 900],
  } as const;
  const WHOLE_BYTES = 24_000;
  const BESIDE_CLIENT_BYTES = 20_000;

  test.each(Object.entries(PARTS))(
    'its part, %s, weighs no more than it may (N8)',
    async (_, part) => {
      const [code, limit] = part;
      expect(sizeOf(await bundleOf(code))).toBeLessThanOrEqual(limit);
    },
  );

  test('is served in at most 24 kB, and weighs at most 20 without the client (N8)', async () => {
    const served = path.join(root, 'dist/apps/blocks-api/elements/elements.js.gz');
    expect(readFileSync(served).length).toBeLessThanOrEqual(WHOLE_BYTES);
    // The panel is loaded only on request.
    const own = await bundleOf("export { showFlows } from '@waymark/elements';", [
      '@waymark/client',
      '*/debug/panel.js',
    ]);
    expect(sizeOf(own)).toBeLessThanOrEqual(BESIDE_CLIENT_BYTES);
  });

  test('can be imported on a server, and does nothing there (N8)', () => {
    const code = "import { showFlows } from '@waymark/elements'; showFlows({})();";
    const args = ['--input-type=module', '--eval', code];
    expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toBe('');
  });

  test('is packed without sources, and found by every resolver with its types (N8)', () => {
    const cwd = path.join(root, 'libs/elements');
    const to = mkdtempSync(path.join(tmpdir(), 'waymark-pack-'));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', to], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const packed = path.join(to, readdirSync(to)[0]!);
    const files = execFileSync('tar', ['tzf', packed], { encoding: 'utf8' }).trim().split('\n');
    const others = files.filter((file) => !/^package\/dist\/[a-z/-]+\.(js|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
    const run = (command: string, args: string[]): string =>
      execFileSync(path.join(root, 'node_modules/.bin', command), args, { cwd, encoding: 'utf8' });
    expect(run('publint', ['run', packed, '--strict'])).toContain('All good');
    expect(
      JSON.parse(run('attw', [packed, '--profile', 'esm-only', '--format', 'json'])),
    ).toMatchObject({ problems: {} });
    rmSync(to, { recursive: true });
  });
});
