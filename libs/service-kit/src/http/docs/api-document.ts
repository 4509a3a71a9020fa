import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ErrorEnvelope } from '../errors/error-envelope.js';

/**
 * The OpenAPI 3.1 document of a service: made at the first request, as a service without readers
 * needs none.
 */
export class ApiDocument {
  private app: INestApplication | undefined;
  private document: OpenAPIObject | undefined;
  private text: string | undefined;

  constructor(
    private readonly name: string,
    private readonly description: string,
  ) {}

  /** Needs the application before the first `get`. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  get(): OpenAPIObject {
    this.document ??= this.create();
    return this.document;
  }

  /** The same as JSON: written once, as it is large and anybody may ask for it. */
  getText(): string {
    this.text ??= JSON.stringify(this.get());
    return this.text;
  }

  private create(): OpenAPIObject {
    const config = new DocumentBuilder()
      .setTitle(this.name)
      .setDescription(this.description)
      .setVersion('2')
      .setOpenAPIVersion('3.1.0')
      .addApiKey(
        {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key that begins with users-',
        },
        'users-key',
      )
      .addApiKey(
        {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'A key that begins with blocks-; where users are verified, with a dot and the user token behind it',
        },
        'blocks-key',
      )
      .build();
    return addCommon(
      SwaggerModule.createDocument(this.app!, config, { extraModels: [ErrorEnvelope] }),
    );
  }
}

const REQUEST_ID = { type: 'string' as const, pattern: '^[!-~]{1,128}$' };

/** What holds for every operation, once for all routes. */
function addCommon(document: OpenAPIObject): OpenAPIObject {
  const refusal = {
    description: 'Refused or failed',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
  };
  const requestId = {
    'X-Request-Id': { schema: REQUEST_ID, description: 'The one of the request, or a new one' },
  };
  const retryAfter = {
    'Retry-After': { schema: { type: 'integer' as const }, description: 'Seconds' },
  };
  for (const operation of Object.values(document.paths).flatMap(({ get, post }) => [get, post])) {
    if (!operation) continue;
    operation.parameters = [
      ...(operation.parameters ?? []),
      { name: 'x-request-id', in: 'header', required: false, schema: REQUEST_ID },
    ];
    operation.responses['default'] ??= refusal;
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || '$ref' in response) continue;
      response.headers = { ...response.headers, ...requestId, ...(status === '503' && retryAfter) };
    }
  }
  return document;
}
