import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StartError } from '@waymark/service-kit/config';

/** A file of the pages. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** The same, compressed. */
  readonly gzipped: Buffer;
}

/** Injects the files of the pages by name. */
export const ASSETS = Symbol('assets');

/** The address of what an entry of the pages was built to, such as `see-it` and `.css`. */
export function addressOf(
  assets: ReadonlyMap<string, Asset>,
  entry: string,
  extension: '.js' | '.css',
): string {
  const names = [...assets.keys()];
  return `/assets/${names.find((name) => name.startsWith(`${entry}-`) && name.endsWith(extension))!}`;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The built pages by file name: a dozen small files, kept in memory. Throws a `StartError` where
 * they are not built.
 */
export async function loadAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const files = (await readdir(folder).catch(() => [])).filter(
    (file) => path.extname(file) in TYPES,
  );
  if (!files.includes('index.html'))
    throw new StartError('the pages of the studio are not built: run "npm run build" first');
  const assets = files.map(
    async (file) => [file, await loadAsset(path.join(folder, file))] as const,
  );
  return new Map(await Promise.all(assets));
}

async function loadAsset(file: string): Promise<Asset> {
  const content = await readFile(file);
  const gzipped = await promisify(gzip)(content, { level: 9 });
  return { type: TYPES[path.extname(file)]!, content, gzipped };
}
