import type { ErrorCode } from '@waymark/domain/database/errors';

/** The code that clients read in the envelope, for every status that is ever answered (W2). */
export const CODE_OF_STATUS = {
  400: 'invalid_request_error',
  401: 'unauthorized_error',
  403: 'unauthorized_error',
  404: 'not_found_error',
  405: 'not_found_error',
  408: 'invalid_request_error',
  // Of the tools for operators only: clients retry after a 409.
  409: 'conflict_error',
  413: 'payload_too_large_error',
  414: 'invalid_request_error',
  415: 'unsupported_media_type_error',
  429: 'rate_limit_error',
  431: 'invalid_request_error',
  500: 'internal_server_error',
  503: 'service_unavailable_error',
} as const;
export type Status = keyof typeof CODE_OF_STATUS;
export type EnvelopeCode = (typeof CODE_OF_STATUS)[Status];

/**
 * The status of everything the domain refuses or fails with: a code that is missing here does not
 * compile.
 */
export const STATUS_OF_ERROR: Readonly<Record<ErrorCode, Status>> = {
  'request.invalid': 400,
  'key.refused': 401,
  'key.unknown': 404,
  'token.refused': 401,
  'token.forbidden': 403,
  'signer.unknown': 404,
  'flow.unknown': 404,
  'flow.unreleased': 404,
  'flow.changed': 409,
  'flow.newer': 503,
  'version.unknown': 404,
  'block.unknown': 404,
  'user.unknown': 404,
  'group.unknown': 404,
  'effect.unknown': 404,
  'endpoint.unknown': 404,
  'environment.unknown': 404,
  'run.unknown': 404,
  'properties.too-large': 413,
  'answer.too-large': 413,
  'events.too-many': 413,
  'definition.refused': 400,
  'picture.tangled': 400,
  'service.overloaded': 503,
  'database.unavailable': 503,
};

/** Whether an answer of that status is part of the contract. */
export const isKnownStatus = (status: number): status is Status => status in CODE_OF_STATUS;

/** Thrown when the HTTP side of a request is refused, before anything of the domain was asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Of a body of more bytes than a server takes. */
export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal(
    413,
    `the body is larger than ${limit / 1024 ** 2} MiB (${limit} bytes), which is the most that is allowed`,
  );

/** Of a client that asks too often. */
export const TOO_MANY = new Refusal(
  429,
  'this address, user or key sends more requests than it may, please send fewer and try again in a second',
);
