import { isUtf8 } from 'node:buffer';
import type { Json } from '@waymark/domain/json';
import { invalidRequest } from '@waymark/domain/errors';
import { checkEscapes } from './check-escapes.js';
import { checkShape } from './check-shape.js';

/** A request body as data, and as the text it came in: what is stored is sliced from the text, so that no number is bent. */
export interface JsonBody {
  readonly value: Json;
  readonly text: string;
}

/**
 * Reads a JSON body under the limits of W7. Throws `request.invalid` for bytes that are not UTF-8, text that is not JSON,
 * nesting below level 64, text or numbers that PostgreSQL cannot hold, and `properties.too-large` for numbers in
 * exponent form that take more than 1 MiB written out.
 */
export function parseJsonBody(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) throw invalidRequest('the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  // The shape comes first: it refuses 500,000 levels without building them.
  checkShape(text);
  const value = parse(text);
  checkEscapes(text);
  return { value, text };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw invalidRequest(`the body is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
