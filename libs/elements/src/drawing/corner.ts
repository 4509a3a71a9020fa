import { findModal } from '../page/find-anchor.js';
import type { Context } from './context.js';
import { make } from './element.js';
import { attachSheet, keepInWindow, type Layer } from './layer.js';
import { dom } from '../page/dom.js';

const CORNER = 'waymark-corner';

/**
 * Puts a card or a checklist into its slot, else into the corner of the window. Returns the slot.
 */
export function placeBlock(layer: Layer, { slot, page }: Context): HTMLElement | undefined {
  const found = slot();
  const corner = found ? undefined : findCorner();
  layer.place(corner ?? found!.shadowRoot ?? found!);
  tidyCorner();
  if (corner) keepInWindow(corner, dom.body, () => !!findModal() || page.turn.isModal);
  return found;
}

/** Where the cards and checklists of all clients are stacked. */
function findCorner(): HTMLElement {
  const found = dom.querySelector<HTMLElement>(CORNER);
  if (found) return found;
  const corner = dom.createElement(CORNER);
  corner.popover = 'manual';
  const root = corner.attachShadow({ mode: 'open' });
  attachSheet(root);
  root.append(make('slot'));
  dom.body.append(corner);
  return corner;
}

/** Removes the corner if it is empty. */
export const tidyCorner = (): void => {
  const corner = dom.querySelector(CORNER);
  if (corner?.childElementCount === 0) corner.remove();
};
