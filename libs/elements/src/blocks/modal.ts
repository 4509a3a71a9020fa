import type { Draw } from '../drawing/context.js';
import { COMPLETE, createContent, DISMISS, nameBy } from '../drawing/content.js';
import { make } from '../drawing/element.js';
import { createLayer } from '../drawing/layer.js';
import { findModal } from '../page/find-anchor.js';
import { dom } from '../page/dom.js';

/** A native dialog over the page; it waits for its turn. */
export const drawModal: Draw = (context, first) => {
  const { page, words, isPreview, rank } = context;
  const layer = createLayer(context);
  const content = createContent([DISMISS, COMPLETE]);
  const dialog = make(
    'dialog',
    { part: 'modal', class: isPreview ? 'modal in-place' : 'modal', tabindex: -1 },
    make('div', { class: 'scroll' }, content.title, content.body),
    content.buttons,
  );
  layer.append(dialog);

  const escape = (event: Event): void => {
    event.preventDefault();
    content.press('dismiss');
  };
  dialog.addEventListener('cancel', escape);
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') escape(event);
  });
  // Some browsers close it whatever the page says to Escape; a page may lose it with a part of its
  // own.
  const show = (): void => {
    layer.place(dom.body);
    if (dialog.matches(':modal') || (isPreview && dialog.open)) return;
    dialog.removeAttribute('open');
    if (isPreview) return void dialog.setAttribute('open', '');
    dialog.showModal();
    dialog.focus();
  };
  dialog.addEventListener('close', () => void (page.turn.has(claim) && show()));

  const update = (view: typeof first): void => {
    content.update(view);
    nameBy(dialog, content.title, words().modal);
  };
  update(first);
  const isReady = (): boolean => isPreview || !findModal();
  const claim = {
    rank,
    isModal: !isPreview,
    isReady,
    onTurn(hasTurn: boolean) {
      if (hasTurn) return show();
      if (!isPreview) dialog.close();
      layer.remove();
    },
  };
  const withdraw = page.turn.claim(claim);
  return {
    update,
    recheck: () => void (page.turn.has(claim) && isReady() && show()),
    remove() {
      withdraw();
      dialog.close();
      layer.remove();
    },
    waits: () =>
      page.turn.has(claim)
        ? []
        : [isReady() ? 'for its turn' : 'until the modal dialog of the page is closed'],
  };
};
