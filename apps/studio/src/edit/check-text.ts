import { DomainError } from '@waymark/domain/errors';
import { parseFlowFile } from '@waymark/domain/flow-files';
import type { FlowDefinition, FlowDraft, Known } from '@waymark/domain/engine';
import { drawFlow } from '@waymark/flow-picture';
import type { Checked } from './edit-views.js';

/** Larger flows take longer to draw than a pause in typing. */
const SOON_DRAWN = 200;
const FILE = 'flow.yaml';

/** What is wrong with a text, and its picture. */
export function checkText(text: string, known: Known, draw: boolean): Checked {
  const { draft, problems } = parseFlowFile(text, { file: FILE, known });
  if (!draft) return { problems, flow: null, noPicture: 'error' };
  const isLarge = draft.blocks.length > SOON_DRAWN && !draw;
  return { problems, flow: draft.flow, blocks: draft.blocks, ...(isLarge ? { noPicture: 'large' } : drawDraft(draft)) };
}

function drawDraft(draft: FlowDraft): Pick<Checked, 'svg' | 'noPicture'> {
  try {
    return { svg: drawFlow(withUids(draft), 'svg', { isBare: true }) };
  } catch (error) {
    if (error instanceof DomainError) return { noPicture: 'tangled' };
    throw error;
  }
}

/** A picture tells blocks apart by their identifiers. */
function withUids({ blocks, ...flow }: FlowDraft): FlowDefinition {
  const named = blocks.map((block) => ({
    ...block,
    uid: block.id,
    ...('items' in block && { items: block.items.map((item) => ({ ...item, uid: item.id })) }),
  }));
  return { ...flow, blocks: named } as FlowDefinition;
}
