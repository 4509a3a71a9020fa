import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ErrorEnvelope } from './error-envelope.js';

/** The OpenAPI 3.1 document of a service: made when first asked for, as a service without readers needs none. */
export class ApiDocument {
  private app: INestApplication | undefined;
  private document: OpenAPIObject | undefined;

  constructor(
    private readonly name: string,
    private readonly description: string,
  ) {}

  /** Has to be told of the application before the first `get`. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  get(): OpenAPIObject {
    this.document ??= this.create();
    return this.document;
  }

  private create(): OpenAPIObject {
    const config = new DocumentBuilder()
      .setTitle(this.name)
      .setDescription(this.description)
      .setVersion('2')
      .setOpenAPIVersion('3.1.0')
      .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key that begins with users-' }, 'users-key')
      .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key that begins with blocks-' }, 'blocks-key')
      .build();
    return addRefusals(SwaggerModule.createDocument(this.app!, config, { extraModels: [ErrorEnvelope] }));
  }
}

/** Every operation may be answered with the envelope: that is said once here rather than at each route. */
function addRefusals(document: OpenAPIObject): OpenAPIObject {
  const refusal = {
    description: 'Refused or failed',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
  };
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.get, path.post]) if (operation?.responses) operation.responses['default'] ??= refusal;
  }
  return document;
}
