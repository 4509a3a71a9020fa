import { isDeepStrictEqual } from 'node:util';
import type { FlowDefinition, FlowDraft } from '../../engine/index.js';
import { formatFlowFile, parseFlowFile } from '../../flow-files/index.js';
import type { FlowVersion } from '../versions/flow-version.js';

/**
 * The file of a version: the very text that was applied, comments and all, as long as it says what
 * is stored; else the short form (T6). Applying it changes nothing.
 */
export function flowText({
  source,
  definition,
}: Pick<FlowVersion, 'source' | 'definition'>): string {
  return source !== null && describesSameFlow(source, definition)
    ? source
    : formatFlowFile(definition);
}

function describesSameFlow(source: string, definition: FlowDefinition): boolean {
  const { draft } = parseFlowFile(source, { file: '' });
  return draft !== null && isDeepStrictEqual(asWritten(draft), asWritten(definition));
}

/** Without what a file does not say, and as `jsonb` would keep it. */
function asWritten({ blocks, segments: _, ...flow }: FlowDraft | FlowDefinition): unknown {
  const written = blocks.map((block) => ({
    ...block,
    ...NOT_IN_FILES,
    ...('items' in block && { items: block.items.map((item) => ({ ...item, ...NOT_IN_FILES })) }),
  }));
  return JSON.parse(JSON.stringify({ ...flow, blocks: written }));
}

const NOT_IN_FILES = { uid: undefined, was: undefined };
