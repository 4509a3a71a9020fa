import type { FlowDraft, Known } from '@waymark/domain/engine';
import { parseFlowFile, type ParsedFlowFile } from '@waymark/domain/flow-files';
import { Refusal } from '@waymark/service-kit/errors';

/** A text that is being edited, which is in no file. */
export function parseText(text: string, known?: Known): ParsedFlowFile {
  return parseFlowFile(text, { file: 'flow.yaml', ...(known && { known }) });
}

/** Refused where the text has an error. */
export function readDraft(text: string): FlowDraft {
  const { draft, problems } = parseText(text);
  if (!draft) throw new Refusal(400, `the flow has errors: ${problems[0]?.message}`);
  return draft;
}
