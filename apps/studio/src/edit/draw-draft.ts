import type { FlowDefinition, FlowDraft } from '@waymark/domain/engine';
import { drawUntangled } from '../picture/draw-untangled.js';
import type { DraftPicture } from './edit-views.js';

/** Larger flows are drawn when somebody asks for it. */
const SOON_DRAWN = 200;

/** The picture of a text that is being edited, where it can be had. */
export function drawDraft(draft: FlowDraft | null, isAsked: boolean): DraftPicture {
  if (!draft) return { noPicture: 'error' };
  if (draft.blocks.length > SOON_DRAWN && !isAsked) return { noPicture: 'large' };
  const { svg } = drawUntangled(withUids(draft));
  return svg === undefined ? { noPicture: 'tangled' } : { svg };
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
