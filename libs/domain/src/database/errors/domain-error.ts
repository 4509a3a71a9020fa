/**
 * Everything the domain can refuse or fail with. `service-kit` maps each code to a status and an
 * envelope code; a code missing there does not compile.
 */
export const ERROR_CODES = [
  'request.invalid',
  'key.refused',
  'key.unknown',
  'token.refused',
  'token.forbidden',
  'signer.unknown',
  'flow.unknown',
  'flow.unreleased',
  'flow.changed',
  'flow.newer',
  'version.unknown',
  'block.unknown',
  'user.unknown',
  'group.unknown',
  'effect.unknown',
  'endpoint.unknown',
  'environment.unknown',
  'run.unknown',
  'properties.too-large',
  'answer.too-large',
  'events.too-many',
  'definition.refused',
  'picture.tangled',
  'service.overloaded',
  'database.unavailable',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * A refusal or failure with a stable code and a sentence for people: what was wrong, where, what is
 * allowed.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What was asked cannot be meant: answered with 400. */
export const invalidRequest = (message: string, options?: ErrorOptions): DomainError =>
  new DomainError('request.invalid', message, options);

/** Whether the error means that a flow, block, user or the like is unknown. */
export const isUnknown = (error: unknown): error is DomainError =>
  error instanceof DomainError &&
  (error.code.endsWith('.unknown') || error.code === 'flow.unreleased');

/**
 * Whether this process cannot serve a flow, whatever the rest of the request is: it is not there,
 * or a newer release made it (R17).
 */
export const isUnserved = (error: unknown): error is DomainError =>
  isUnknown(error) || (error instanceof DomainError && error.code === 'flow.newer');
