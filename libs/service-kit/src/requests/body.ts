import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge, Refusal } from '../errors/refusal.js';
import { parseJsonBody } from '../json-body/index.js';
import type { Admission } from '../overload/index.js';
import { GatheredBytes } from './gathered-bytes.js';
import { MOST_PIECES, onceCrumbled } from './request-in-pieces.js';
import type { Toll } from './toll.js';

/** Bytes of a body at most (W7). */
export const BODY_LIMIT = 1_048_576;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as the text it came in, for what has to be stored as it was written; empty without a body. */
    bodyText: string;
  }
}

const TOO_LARGE = bodyTooLarge(BODY_LIMIT);
const CRUMBLED = new Refusal(413, `the body comes in more than ${MOST_PIECES} pieces, please send larger ones`);
const WRONG_TYPE = new Refusal(415, 'the body has to be JSON, with the header content-type: application/json');
const NOT_WHOLE = new Refusal(400, 'the body did not arrive whole');
const ENCODED = new Refusal(415, 'an encoded body is not supported: leave out content-encoding, or send identity');

/**
 * What the headers alone already say against the body: 415 before 413 (W9). A body that is empty counts as none
 * whatever its type (W4), so where only its end will tell, the type is left to the parsers.
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

/** Takes JSON bodies and refuses all others; the value is at `request.body`, the text at `request.bodyText`. */
export function installBodyParsers(instance: FastifyInstance, admission: BodyAdmission, toll: BodyToll): void {
  instance.decorateRequest('bodyText', '');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', (request, payload, done) => {
    const grown = (bytes: number, pieces: number): Refusal | undefined => {
      admission.bodyGrew(request.raw, bytes);
      return toll.refusalOfPiece(request, pieces);
    };
    collect(payload, grown, (refusal, { bytes }) => {
      const tooMany = toll.refusalOfBody(request, bytes.length);
      if (refusal || bytes.length === 0) return done(refusal, undefined);
      if (tooMany) return done(tooMany, undefined);
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

/** Has to be told of bodies, as they take memory. */
export type BodyAdmission = Pick<Admission, 'bodyGrew' | 'bodyArrived'>;
type BodyToll = Pick<Toll, 'refusalOfBody' | 'refusalOfPiece'>;

function parseInto(request: FastifyRequest, bytes: Buffer, done: (error: Error | null, value?: unknown) => void): void {
  try {
    const { value, text } = parseJsonBody(bytes);
    request.bodyText = text;
    done(null, value);
  } catch (error) {
    done(error as Error);
  }
}

/** All bytes of a body, in one piece. Asks about each one that comes in whether to go on. */
function collect(
  payload: IncomingMessage,
  grown: (bytes: number, pieces: number) => Refusal | undefined,
  done: (refusal: Refusal | null, gathered: GatheredBytes) => void,
): void {
  const gathered = new GatheredBytes();
  const end = (refusal: Refusal | null): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('crumbled', onCrumbled);
    if (refusal) payload.on('error', () => undefined);
    done(refusal, gathered);
  };
  const onData = (chunk: Buffer): void => {
    gathered.add(chunk);
    if (gathered.length > BODY_LIMIT) return end(TOO_LARGE);
    const refusal = grown(chunk.length, gathered.pieces);
    if (refusal) end(refusal);
  };
  const onEnd = (): void => end(null);
  const onError = (): void => end(NOT_WHOLE);
  const onCrumbled = (): void => end(CRUMBLED);
  payload.on('data', onData).on('end', onEnd).on('error', onError);
  onceCrumbled(payload, onCrumbled);
}

const isJsonType = (type: string | undefined): boolean => type !== undefined && /^\s*application\/json\s*(;|$)/i.test(type);

const isEncoded = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity';
