import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../route-access.js';
import { ApiDocument } from './api-document.js';

const BRIEFLY = 'public, max-age=600';

/**
 * The page that shows the contract: `swagger-ui-dist`, loaded from the service itself, so it works
 * offline and behind a proxy that adds a prefix. Its scripts are in files of their own, as no
 * inline script is allowed.
 */
const DOCS_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Contract</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/viewer.css">
<body><div id="contract"></div>
<noscript>This page needs JavaScript; the same for machines is <a href="docs/json">docs/json</a>.</noscript>
<script src="docs/viewer.js"></script>
<script src="docs/start.js"></script>
</body></html>
`;

/**
 * No request leaves for elsewhere: the viewer would ask a validator of its own maker about the
 * document.
 */
const DOCS_START = `const viewer = SwaggerUIBundle({
  url: 'docs/json', dom_id: '#contract', deepLinking: true, tryItOutEnabled: true, validatorUrl: null,
  onComplete: () => (document.title = viewer.specSelectors.info().get('title')),
});
`;

/**
 * Nothing but what the service itself serves. Without helmet's `upgrade-insecure-requests`, which
 * would ask a service that speaks plain HTTP for HTTPS.
 */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where the build puts the files of the viewer: beside the bundle of a service (ADR 9). */
const BESIDE = fileURLToPath(new URL('./docs/', import.meta.url));

const FILES = { script: 'swagger-ui-bundle.js', style: 'swagger-ui.css' } as const;

/**
 * The files of the viewer, compressed. Read at the first request, as a service without readers
 * needs none, and kept: all answers share these bytes, so that clients who do not read them take no
 * memory of their own.
 */
class DocsViewer {
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
  existsSync(BESIDE + name)
    ? BESIDE + name
    : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);

/** The contract of the service, for people and for machines. */
@ApiExcludeController()
@Public()
@Controller('docs')
export class DocsController {
  private readonly viewer = new DocsViewer();

  constructor(private readonly document: ApiDocument) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', DOCS_POLICY)
  page(): string {
    return DOCS_PAGE;
  }

  @Get('json')
  @Header('content-type', 'application/json; charset=utf-8')
  json(): string {
    return this.document.getText();
  }

  @Get('start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('cache-control', BRIEFLY)
  start(): string {
    return DOCS_START;
  }

  @Get('viewer.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('content-encoding', 'gzip')
  @Header('cache-control', BRIEFLY)
  script(): Promise<Buffer> {
    return this.viewer.get('script');
  }

  @Get('viewer.css')
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('content-encoding', 'gzip')
  @Header('cache-control', BRIEFLY)
  style(): Promise<Buffer> {
    return this.viewer.get('style');
  }
}
