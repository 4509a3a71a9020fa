import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../errors/refusal.js';
import { parseJsonBody } from '../json-body/index.js';

/** Bytes of a body at most (W7). */
export const BODY_LIMIT = 1_048_576;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as the text it came in, for what has to be stored as it was written; empty without a body. */
    bodyText: string;
  }
}

const TOO_LARGE = new Refusal(413, `the body is larger than 1 MiB (${BODY_LIMIT} bytes), which is the most that is allowed`);
const WRONG_TYPE = new Refusal(415, 'the body has to be JSON, with the header content-type: application/json');
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
export function installBodyParsers(instance: FastifyInstance): void {
  instance.decorateRequest('bodyText', '');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined);
    const { value, text } = parseJsonBody(bytes);
    request.bodyText = text;
    done(null, value);
  });
  instance.addContentTypeParser('*', (_request, payload, done) => {
    payload.once('data', () => done(WRONG_TYPE));
    payload.once('end', () => done(null, undefined));
    payload.once('error', done);
  });
}

const isJsonType = (type: string | undefined): boolean => type !== undefined && /^\s*application\/json\s*(;|$)/i.test(type);

const isEncoded = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity';
