import { createHash } from 'node:crypto';
import type { FlowDefinition, FlowDraft } from '@waymark/domain/engine';
import { drawFlow, pictureKey, type PictureOptions } from '@waymark/flow-picture';
import type { Drawn } from './drawn.js';

/**
 * The picture of a draft or of a version, for a page that tells its name and may have a picture with the mark `had` already.
 * Throws `picture.tangled`.
 */
export function draw(definition: FlowDefinition, options: PictureOptions = {}, had?: string): Drawn {
  const bare = { ...options, isBare: true };
  const mark = createHash('sha256').update(pictureKey(definition, bare)).digest('base64url');
  return mark === had ? { mark } : { mark, svg: drawFlow(definition, 'svg', bare) };
}

/** Of a draft, which has no uids yet: a picture tells blocks apart by their identifiers. */
export function drawDraft({ blocks, ...flow }: FlowDraft, had?: string): Drawn {
  const named = blocks.map((block) => ({
    ...block,
    uid: block.id,
    ...('items' in block && { items: block.items.map((item) => ({ ...item, uid: item.id })) }),
  }));
  return draw({ ...flow, blocks: named } as FlowDefinition, {}, had);
}
