import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiNoContentResponse, ApiParam } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN } from '@waymark/domain/engine';
import { ApiQueries, ApiRefusals } from '@waymark/service-kit/http';
import type { ActorQuery, StateQuery } from './queries.js';

/** What names a block: its uid, or `<flow>.<block>` (B2). */
const BLOCK_REFERENCE = `[A-Za-z0-9_-]{1,64}|${IDENTIFIER_PATTERN}\\.${IDENTIFIER_PATTERN}`;
const LONGEST_IDENTIFIER = 128;
export const LONGEST_BLOCK_REFERENCE = 2 * LONGEST_IDENTIFIER + 1;

const PATH_PARAMETERS = {
  sid: {
    description: 'Identifier of the flow',
    schema: { type: 'string', pattern: `^${IDENTIFIER_PATTERN}$`, maxLength: LONGEST_IDENTIFIER },
  },
  uid: {
    description: 'uid of the block, or <flow>.<block>',
    schema: {
      type: 'string',
      pattern: `^(${BLOCK_REFERENCE})$`,
      maxLength: LONGEST_BLOCK_REFERENCE,
    },
  },
};
/** The path and query of every route about one flow or block. */
export const ApiStateRequest = (param: 'sid' | 'uid', query: new () => StateQuery) =>
  applyDecorators(
    ApiParam({ name: param, ...PATH_PARAMETERS[param] }),
    ApiActorRequest(query),
    ApiRefusals(400, 401, 403, 404, 503),
  );

/** The query of every route with a user. */
export const ApiActorRequest = (query: new () => ActorQuery) =>
  applyDecorators(
    ApiQueries(query),
    ApiHeader({ name: 'accept-language', required: false, schema: { type: 'string' } }),
  );

/** A route that answers with JSON that is written already. */
export const AnswersJson = () => Header('content-type', 'application/json; charset=utf-8');

/**
 * A command: takes a key and a body, answers 204 with headers that say whether it took effect and
 * which blocks are active now (W4, B9, B10, B14).
 */
export const AnswersEffect = (body?: new () => object) =>
  applyDecorators(
    HttpCode(204),
    ApiHeader({
      name: 'idempotency-key',
      required: false,
      schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
      description: 'A key among those of the last 32 accepted commands takes no effect again',
    }),
    ApiBody(
      body
        ? { required: false, type: body, description: 'Any JSON object, or none' }
        : {
            required: false,
            schema: { type: 'object', additionalProperties: true },
            description: 'Any JSON object, or none; it is ignored',
          },
    ),
    ApiNoContentResponse({
      description: 'Done, or nothing to do',
      headers: {
        'X-Dopt-Intent-Side-Effects': {
          schema: { type: 'string', enum: ['true', 'false'] },
          description: 'Whether anything took effect',
        },
        'X-Waymark-Revision': {
          schema: { type: 'integer', minimum: 0 },
          description: 'The revision of the state after the command',
        },
      },
    }),
    ApiRefusals(413, 415),
  );
