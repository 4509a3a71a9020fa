import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../access/route-access.js';
import { ApiDocument } from './api-document.js';
import { renderDocument } from './render-document.js';

/** The contract of the service, for people and for machines. */
@ApiExcludeController()
@Public()
@Controller('docs')
export class DocsController {
  constructor(private readonly document: ApiDocument) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  page(): string {
    return renderDocument(this.document.get());
  }

  @Get('json')
  @Header('content-type', 'application/json; charset=utf-8')
  json(): string {
    return this.document.getText();
  }
}
