/** Why an outgoing request failed: a code for logs and a sentence for the operator. */
export class SendFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failure that no repeat mends. */
export class FinalFailure extends SendFailure {}

const CLOSED = 'the connection was closed without an answer';
const NO_WAY = 'the host cannot be reached from here';
const UNKNOWN_ISSUER = 'its certificate is not signed by anybody whom this machine trusts';

/** What Node's codes mean to the author of the address. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name cannot be looked up just now',
  ECONNREFUSED: 'nothing listens at this address and port',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: NO_WAY,
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
};

/** OpenSSL adds a thread and a place in its sources. */
const TLS_REASON = /:SSL routines:[^:]*:([^:]+):/;

/**
 * Why a request failed, in plain words followed by the code; an error with a sentence of its own
 * stays as it is.
 */
export function inPlainWords(error: Error): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof SendFailure || typeof code !== 'string') return error;
  const reason = TLS_REASON.exec(message)?.[1];
  if (reason !== undefined)
    return new SendFailure('webhook.no-tls', `no TLS connection: ${reason}`, { cause: error });
  const words = code.startsWith('HPE_')
    ? 'what answers there does not speak HTTP'
    : (WORDS[code] ?? message);
  return new SendFailure(code, `${words} (${code})`, { cause: error });
}
