import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge, Refusal, TOO_MANY } from '../errors/error-table.js';
import { cameInTooManyPieces, MOST_PIECES } from './join-pieces.js';
import { parseJsonBody } from './parse-json-body.js';
import type { Admission } from '../../limits/admission.js';
import type { RateLimiter } from '../../limits/rate-limiter.js';

/** Bytes of a body at most (W7). */
export const BODY_LIMIT = 1_048_576;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The body as the text it came in, for what has to be stored as it was written; empty without a
     * body.
     */
    bodyText: string;
  }
}

const TOO_LARGE = bodyTooLarge(BODY_LIMIT);
const TOO_MANY_PIECES = new Refusal(
  413,
  `the body comes in more than ${MOST_PIECES} pieces, please send larger ones`,
);
const WRONG_TYPE = new Refusal(
  415,
  'the body has to be JSON, with the header content-type: application/json',
);
const NOT_WHOLE = new Refusal(400, 'the body did not arrive whole');
const ENCODED = new Refusal(
  415,
  'an encoded body is not supported: leave out content-encoding, or send identity',
);

/**
 * The refusal of a body by its headers: 415 before 413 (W9). An empty body counts as none whatever
 * its type (W4), so the type of a chunked one is left to the parsers.
 */
export function checkBodyHeaders(request: FastifyRequest): Refusal | undefined {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  const chunked = headers['transfer-encoding'] !== undefined;
  const isJson = isJsonType(headers['content-type']);
  if (!isJson) delete headers['content-type'];
  if (length === 0 && !chunked) return undefined;
  if (isEncoded(headers['content-encoding'])) return ENCODED;
  if (!isJson && !chunked) return WRONG_TYPE;
  return length > BODY_LIMIT ? TOO_LARGE : undefined;
}

/**
 * Takes JSON bodies and refuses all others; the value is at `request.body`, the text at
 * `request.bodyText`.
 */
export function installBodyParsers(
  instance: FastifyInstance,
  admission: Pick<Admission, 'bodyGrew' | 'bodyArrived'>,
  limiter: Pick<RateLimiter, 'takeBytes'>,
): void {
  instance.decorateRequest('bodyText', '');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', (request, payload, done) => {
    const grown = (piece: number, before: number): Refusal | undefined => {
      admission.bodyGrew(request.raw, piece);
      return limiter.takeBytes(request, before, piece) ? undefined : TOO_MANY;
    };
    collect(payload, grown, (refusal, pieces) => {
      if (refusal || pieces.length === 0) return done(refusal, undefined);
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      admission.bodyArrived(request.raw, bytes.length, (overload) => {
        if (overload) return done(overload, undefined);
        parseInto(request, bytes, done);
      });
    });
  });
  instance.addContentTypeParser('*', (_request, payload, done) => {
    payload.once('data', () => done(WRONG_TYPE));
    payload.once('end', () => done(null, undefined));
    payload.once('error', () => done(NOT_WHOLE));
  });
}

function parseInto(
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  try {
    const { value, text } = parseJsonBody(bytes);
    request.bodyText = text;
    done(null, value);
  } catch (error) {
    done(error as Error);
  }
}

/** All pieces of a body. Asks about each one whether to go on. */
function collect(
  payload: IncomingMessage,
  grown: (piece: number, before: number) => Refusal | undefined,
  done: (refusal: Refusal | null, pieces: Buffer[]) => void,
): void {
  const pieces: Buffer[] = [];
  let length = 0;
  const end = (refusal: Refusal | null): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
    if (refusal) payload.on('error', () => undefined);
    done(refusal, pieces);
  };
  const onData = (piece: Buffer): void => {
    if (length + piece.length > BODY_LIMIT) return end(TOO_LARGE);
    pieces.push(piece);
    const refusal = grown(piece.length, length);
    length += piece.length;
    if (refusal) end(refusal);
  };
  const onEnd = (): void => end(cameInTooManyPieces(payload) ? TOO_MANY_PIECES : null);
  const onError = (): void => end(NOT_WHOLE);
  payload.on('data', onData).on('end', onEnd).on('error', onError);
}

const isJsonType = (type: string | undefined): boolean =>
  type !== undefined && /^\s*application\/json\s*(;|$)/i.test(type);

const isEncoded = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity';
