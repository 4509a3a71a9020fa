import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@waymark/service-kit/config';
import { Refusal } from '@waymark/service-kit/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlocksSettings } from '../config/settings.js';

type ScriptName = 'elements.js' | 'elements-debug.js';

/** Where the build puts the compressed scripts: beside the bundle of the service. */
const BESIDE = fileURLToPath(new URL('./elements/', import.meta.url));
const BUILT = fileURLToPath(new URL('../../../../dist/apps/blocks-api/elements/', import.meta.url));

interface Script {
  readonly content: Buffer;
  readonly etag: string;
}

/**
 * The scripts of `@waymark/elements`, compressed. Read at the first request and kept: all answers
 * share these bytes, so that clients who read slowly take no memory of their own.
 */
@Injectable()
export class Scripts {
  private readonly scripts = new Map<ScriptName, Promise<Script>>();

  constructor(@Inject(SETTINGS) private readonly settings: BlocksSettings) {}

  /**
   * What to answer with; nothing where the browser has it already. Refuses with 404 where
   * `ELEMENTS` is off.
   */
  async answer(
    name: ScriptName,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    if (!this.settings.elements)
      throw new Refusal(404, `ELEMENTS is off here, so that /${name} is not served`);
    const found = this.scripts.get(name) ?? load(name);
    this.scripts.set(name, found);
    const { content, etag } = await found;
    void reply.headers({
      // Any page may load it, whatever CORS_ORIGINS says of calls (N1).
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      etag,
    });
    if (has(request.headers['if-none-match'], etag)) return void reply.code(304);
    void reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
    });
    return content;
  }
}

const has = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));

async function load(name: ScriptName): Promise<Script> {
  const content = await readFile(`${existsSync(BESIDE) ? BESIDE : BUILT}${name}.gz`);
  const hash = createHash('sha256').update(content).digest('base64url');
  return { content, etag: `"${hash}"` };
}
