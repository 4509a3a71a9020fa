import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Where the build puts the files of the viewer: beside the bundle of a service (ADR 9). */
const BESIDE = fileURLToPath(new URL('./docs/', import.meta.url));

const FILES = { script: 'swagger-ui-bundle.js', style: 'swagger-ui.css' } as const;

/**
 * The files of the viewer, compressed. Read when they are first asked for, as a service without readers needs none, and kept:
 * all answers share these bytes, so that clients who do not read them take no memory of their own.
 */
export class DocsViewer {
  private readonly files = new Map<string, Promise<Buffer>>();

  get(file: keyof typeof FILES): Promise<Buffer> {
    const found = this.files.get(file) ?? load(FILES[file]);
    this.files.set(file, found);
    return found;
  }
}

const load = async (name: string): Promise<Buffer> => promisify(gzip)(await readFile(find(name)));

/** From a bundle its copy, from the workspace the package. */
const find = (name: string): string =>
  existsSync(BESIDE + name) ? BESIDE + name : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
