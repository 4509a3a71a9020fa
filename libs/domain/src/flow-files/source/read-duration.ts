import { DURATION_FORM, parseDuration } from '../../engine/index.js';
import type { FileNode } from './file-node.js';

/** Milliseconds; what is no duration is reported under the code. */
export function readDuration(
  node: FileNode | undefined,
  what: string,
  code: string,
): number | undefined {
  const text = node?.isNull() ? '' : node?.written();
  if (!node) return undefined;
  const duration = text === undefined ? undefined : parseDuration(text);
  if (duration === undefined)
    node.report(code, `${what} is ${DURATION_FORM}, not ${node.describe()}`);
  return duration;
}
