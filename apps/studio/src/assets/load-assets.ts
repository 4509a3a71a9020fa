import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StartError } from '@waymark/service-kit/errors';
import type { Asset } from './asset.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built pages by file name: a dozen small files, kept in memory. Throws a `StartError` where they are not built. */
export async function loadAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => path.extname(file) in TYPES);
  if (!files.includes('index.html')) throw new StartError('the pages of the studio are not built: run "npm run build" first');
  const assets = files.map(async (file) => [file, await loadAsset(path.join(folder, file))] as const);
  return new Map(await Promise.all(assets));
}

async function loadAsset(file: string): Promise<Asset> {
  const content = await readFile(file);
  const gzipped = await promisify(gzip)(content, { level: 9 });
  return { type: TYPES[path.extname(file)]!, content, gzipped };
}
