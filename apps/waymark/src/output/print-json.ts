import { randomUUID } from 'node:crypto';
import { plainJson } from './plain-text.js';

/** JSON text that goes into a document as it is, so that numbers beyond 2^53 survive. */
export class RawJson {
  constructor(readonly text: string) {}
}

/**
 * A document as readable JSON, raw parts inserted as they are, but for characters that act on a
 * terminal.
 */
export function toJson(document: unknown): string {
  const raw: string[] = [];
  const mark = randomUUID();
  const keep = (_: string, value: unknown): unknown =>
    value instanceof RawJson ? `${mark}:${raw.push(value.text) - 1}` : value;
  const text = JSON.stringify(document, keep, 2);
  return plainJson(
    text.replace(new RegExp(`"${mark}:(\\d+)"`, 'g'), (_, index: string) => raw[Number(index)]!),
  );
}
