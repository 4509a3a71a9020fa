import { readdirSync, readFileSync } from 'node:fs';
import type { FlowDefinition } from '@waymark/domain/engine';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { assignUids } from '@waymark/domain/flows';

const FOLDER = new URL('../../../../examples/flows/', import.meta.url);

/** Identifiers of the sample flows that the project ships. */
export const SAMPLE_FLOWS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''));

/** The text of a sample flow file. Throws when there is none. */
export function loadSampleFile(flow: string): string {
  return readFileSync(new URL(`${flow}.yaml`, FOLDER), 'utf8');
}

/** A sample flow, its uids numbered in the order of its file. */
export function loadSampleFlow(flow: string): FlowDefinition {
  const { draft } = parseFlowFile(loadSampleFile(flow), { file: `${flow}.yaml` });
  if (!draft) throw new Error(`the sample flow ${flow} is refused`);
  let made = 0;
  return assignUids(draft, [], () => `${flow}-${made++}`).definition;
}
