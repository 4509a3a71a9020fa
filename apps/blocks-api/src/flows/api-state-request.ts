import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { ErrorEnvelope } from '@waymark/service-kit/docs';

const IDENTIFIER = { type: 'string' as const, minLength: 1, maxLength: 512 };

/** The path and query that every route of this service takes (B1, B3). */
export const ApiStateRequest = (param: 'sid' | 'uid') =>
  applyDecorators(
    ApiParam({ name: param, description: param === 'sid' ? 'Identifier of the flow' : 'uid of the block, or <flow>.<block>' }),
    ApiQuery({ name: 'userIdentifier', schema: IDENTIFIER }),
    ApiQuery({ name: 'groupIdentifier', schema: IDENTIFIER, required: false }),
    ApiQuery({
      name: 'version',
      required: false,
      schema: { type: 'string', pattern: '^(0|[1-9][0-9]*|latest|uncommitted)$' },
      description: 'Exactly one of version and tag; 0 is the uncommitted version',
    }),
    ApiQuery({ name: 'tag', required: false, schema: { type: 'string', enum: ['latest', 'uncommitted'] } }),
    ApiRefusals(400, 401, 404, 503),
  );

/** A route that answers with JSON that is written already. */
export const AnswersJson = () => Header('content-type', 'application/json; charset=utf-8');

/** A command: answered with 204 and a header that tells whether it took effect (W4, B9, B10). */
export const AnswersEffect = () =>
  applyDecorators(
    HttpCode(204),
    ApiHeader({
      name: 'idempotency-key',
      required: false,
      schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
      description: 'A key among those of the last 32 accepted commands takes no effect again',
    }),
    ApiNoContentResponse({
      description: 'Done, or nothing to do',
      headers: {
        'X-Dopt-Intent-Side-Effects': {
          schema: { type: 'string', enum: ['true', 'false'] },
          description: 'Whether anything took effect',
        },
      },
    }),
    ApiRefusals(413, 415),
  );

const ApiRefusals = (...statuses: number[]) =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status, type: ErrorEnvelope })));
