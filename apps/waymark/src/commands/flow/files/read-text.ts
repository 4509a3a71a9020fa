import { createReadStream } from 'node:fs';
import type { FileProblem } from '@waymark/domain/flow-files';
import { readingFailure } from '../../../output/file-failure.js';

/** What is read of a file: more than the longest that is allowed, so that one without an end is refused as too long. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The text of a file, without a byte order mark; a problem like those within it where there is none (F4). */
export async function readText(file: string): Promise<{ text: string } | { problem: FileProblem }> {
  let bytes: Buffer;
  try {
    bytes = Buffer.concat(await createReadStream(file, { end: MOST_BYTES }).toArray());
  } catch (error) {
    return { problem: problemOf(file, 'file.unreadable', `cannot be read: ${readingFailure(error)}`) };
  }
  if (bytes.length > MOST_BYTES) return { problem: problemOf(file, 'file.too-long', 'is longer than any flow file may be') };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: problemOf(file, 'file.encoding', 'is not UTF-8; save it as UTF-8') };
  }
}

function problemOf(file: string, code: string, message: string): FileProblem {
  return { file, line: 1, column: 1, severity: 'error', code, message };
}
