import type { Draw } from '../drawing/context.js';
import { COMPLETE, createContent, DISMISS, nameBy } from '../drawing/content.js';
import { make } from '../drawing/element.js';
import { placeBlock, tidyCorner } from '../drawing/corner.js';
import { createLayer } from '../drawing/layer.js';

/** A card in its slot, else in a corner of the window. */
export const drawCard: Draw = (context, first) => {
  const layer = createLayer(context);
  const content = createContent([DISMISS, COMPLETE]);
  const card = make(
    'section',
    {
      part: 'card',
      class: 'card',
      onkeydown(event: KeyboardEvent) {
        if (event.key === 'Escape' && !event.defaultPrevented) content.press('dismiss');
      },
    },
    content.title,
    content.body,
    content.buttons,
  );
  layer.append(card);
  const recheck = (): void => {
    card.classList.toggle('floats', !placeBlock(layer, context));
  };
  const update = (view: typeof first): void => {
    content.update(view);
    nameBy(card, content.title, context.words().card);
  };
  update(first);
  recheck();
  return {
    update,
    recheck: recheck,
    remove() {
      layer.remove();
      tidyCorner();
    },
  };
};
