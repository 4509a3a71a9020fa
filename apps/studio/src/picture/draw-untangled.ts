import { DomainError } from '@waymark/domain/errors';
import type { FlowDefinition } from '@waymark/domain/engine';
import { drawFlow, type PictureOptions } from '@waymark/flow-picture';

/** The picture of a flow for a page that tells its name; left out where it would be a tangle. */
export function drawUntangled(definition: FlowDefinition, options: PictureOptions = {}): { svg?: string } {
  try {
    return { svg: drawFlow(definition, 'svg', { ...options, isBare: true }) };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'picture.tangled') return {};
    throw error;
  }
}
