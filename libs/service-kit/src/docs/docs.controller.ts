import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../access/route-access.js';
import { ApiDocument } from './api-document.js';
import { DOCS_PAGE, DOCS_POLICY, DOCS_START } from './docs-page.js';
import { DocsViewer } from './docs-viewer.js';

const BRIEFLY = 'public, max-age=600';

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
