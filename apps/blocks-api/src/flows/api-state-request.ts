import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiNoContentResponse, ApiParam, ApiQuery } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN } from '@waymark/domain/engine';
import { ApiRefusals } from '@waymark/service-kit/docs';
import { BLOCK_REFERENCE, LONGEST_BLOCK_REFERENCE, LONGEST_IDENTIFIER } from './identifier-patterns.js';

const PATH_PARAMETERS = {
  sid: {
    description: 'Identifier of the flow',
    schema: { type: 'string', pattern: `^${IDENTIFIER_PATTERN}$`, maxLength: LONGEST_IDENTIFIER },
  },
  uid: {
    description: 'uid of the block, or <flow>.<block>',
    schema: { type: 'string', pattern: `^(${BLOCK_REFERENCE})$`, maxLength: LONGEST_BLOCK_REFERENCE },
  },
};
/** Of a user or group, free but for control characters (W7). */
const SUBJECT = { type: 'string' as const, minLength: 1, maxLength: 512 };

/** Flows that one request names at most (B13). */
export const MOST_FLOWS = 50;
const FLOW_NAME = `^${IDENTIFIER_PATTERN}(@(0|[1-9][0-9]*|latest|uncommitted))?$`;

/** Which flows (B13, B15). */
export const ApiFlowNames = () =>
  ApiQuery({
    name: 'flow',
    schema: { type: 'array', items: { type: 'string', pattern: FLOW_NAME }, minItems: 1, maxItems: MOST_FLOWS },
    description: 'NAME or NAME@VERSION, each flow once; latest where no version is given',
  });

/** Whose state (B3). */
export const ApiActor = () =>
  applyDecorators(
    ApiQuery({ name: 'userIdentifier', schema: SUBJECT }),
    ApiQuery({ name: 'groupIdentifier', schema: SUBJECT, required: false }),
  );

/** The path and query of every route about one flow or block (B1, B3). */
export const ApiStateRequest = (param: 'sid' | 'uid') =>
  applyDecorators(
    ApiParam({ name: param, ...PATH_PARAMETERS[param] }),
    ApiActor(),
    ApiQuery({
      name: 'version',
      required: false,
      schema: { type: 'string', pattern: '^(0|[1-9][0-9]*|latest|uncommitted)$' },
      description: 'Exactly one of version and tag; 0 is the uncommitted version',
    }),
    ApiQuery({ name: 'tag', required: false, schema: { type: 'string', enum: ['latest', 'uncommitted'] } }),
    ApiRefusals(400, 401, 403, 404, 503),
  );

/** A route that answers with JSON that is written already. */
export const AnswersJson = () => Header('content-type', 'application/json; charset=utf-8');

/** A command: takes a key and a body, answers 204 with headers that tell whether it took effect and where it led (W4, B9, B10, B14). */
export const AnswersEffect = () =>
  applyDecorators(
    HttpCode(204),
    ApiHeader({
      name: 'idempotency-key',
      required: false,
      schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
      description: 'A key among those of the last 32 accepted commands takes no effect again',
    }),
    ApiBody({
      required: false,
      schema: { type: 'object', additionalProperties: true },
      description: 'Any JSON object, or none; it is ignored',
    }),
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
