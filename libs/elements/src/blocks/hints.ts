import type { BlockView } from '@waymark/client';
import type { Context, Draw } from '../drawing/context.js';
import { COMPLETE, createContent, createCross, nameBy, textOf } from '../drawing/content.js';
import { make, set } from '../drawing/element.js';
import { onEscape, takeFocus } from '../drawing/focus.js';
import { follow, followCorner } from '../drawing/follow.js';
import { createLayer, keepInWindow } from '../drawing/layer.js';
import { findModal } from '../page/find-anchor.js';
import { Anchored } from '../drawing/anchored.js';
import { dom } from '../page/dom.js';

/** A mark at the anchor of each active item; it opens a popover. */
export const drawHints: Draw = (context, first) => {
  const hints = new Map<string, ReturnType<typeof createHint>>();
  let view = first;
  const update = (now: BlockView): void => {
    view = now;
    const active = view.items.filter((item) => item.active);
    for (const [name, hint] of hints) {
      if (active.some((item) => item.name === name)) continue;
      hint.remove();
      hints.delete(name);
    }
    for (const item of active) {
      const hint = hints.get(item.name) ?? createHint(context, () => view);
      hints.set(item.name, hint);
      hint.update(item);
    }
    look();
  };
  /** All are looked for, then put in, then followed: one after the other would lay the page out again for each. */
  const look = (): void => {
    const found = [...hints.values()].map((hint) => ({ hint, anchor: hint.find() }));
    for (const { hint, anchor } of found) hint.place(anchor);
    for (const { hint, anchor } of found) hint.stand(anchor);
  };
  update(first);
  return {
    update,
    look,
    remove: () => hints.forEach((hint) => hint.remove()),
    waits: () => [...hints.values()].flatMap((hint) => hint.waits()),
  };
};

/** A mark in a modal dialog of the page can be reached only if it is drawn in that. */
const parentOf = (anchor: Element): Element => anchor.closest('dialog:modal') ?? dom.body;

function createHint(context: Context, getHints: () => BlockView) {
  const { page, words } = context;
  const layer = createLayer(context);
  const anchored = new Anchored(context);
  let item: BlockView;
  let marked: { anchor: Element; stop(): void } | undefined;
  let opened: (() => void) | undefined;

  const content = createContent([
    { label: 'dismiss-all-label', part: 'dismiss-all', act: () => getHints().dismiss },
    COMPLETE,
  ]);
  const cross = createCross(() => close());
  const mark = make('button', {
    type: 'button',
    popover: 'manual',
    part: 'mark',
    class: 'mark',
    'aria-haspopup': 'dialog',
    onclick: () => (opened ? close() : open()),
  });
  const arrow = make('span', { part: 'arrow', class: 'arrow' });
  const popover = make(
    'div',
    { part: 'hint', class: 'popover', role: 'dialog', tabindex: -1 },
    arrow,
    make('div', { class: 'head' }, content.title, cross),
    make('div', { class: 'scroll' }, content.body),
    content.buttons,
  );
  const cover = make('div', { class: 'cover', popover: 'manual' }, popover);
  layer.append(mark, cover);

  /** One that is looked at by itself is looked at as it opens. */
  const isAlone = (): boolean => getHints().items.filter(({ active }) => active).length === 1;
  const open = (): void => {
    // A script of the page may click a mark that was removed.
    if (!mark.isConnected) return;
    cover.showPopover();
    const stop = follow(marked!.anchor, popover, arrow);
    const giveBack = context.isPreview ? () => {} : takeFocus(popover, layer.hasFocus);
    const stopListening = onEscape(layer.host, () => close());
    const leave = (event: Event): void => {
      if (!event.composedPath().includes(layer.host)) close();
    };
    dom.addEventListener('pointerdown', leave);
    set(mark, { 'aria-expanded': 'true' });
    opened = () => {
      giveBack();
      stop();
      stopListening();
      dom.removeEventListener('pointerdown', leave);
      if (cover.matches(':popover-open')) cover.hidePopover();
    };
  };
  const close = (): void => {
    opened?.();
    opened = undefined;
    set(mark, { 'aria-expanded': 'false' });
  };
  const hide = (): void => {
    close();
    marked?.stop();
    marked = undefined;
    layer.remove();
  };
  const moveTo = (anchor: Element): void => {
    const isNew = !marked;
    marked?.stop();
    marked = { anchor, stop: followCorner(anchor, mark) };
    if (opened) {
      close();
      open();
    }
    if (isNew) layer.announce(`${words().hint}: ${textOf(item, 'title')}`);
  };
  return {
    update(now: BlockView): void {
      item = now;
      content.update(item);
      nameBy(popover, content.title, words().hint);
      set(mark, { 'aria-label': textOf(item, 'title') || words().hint });
      set(cross, { 'aria-label': words().close });
    },
    find: () => anchored.find(item),
    place(anchor: Element | undefined): void {
      if (!anchor) hide();
      else layer.place(parentOf(anchor));
    },
    stand(anchor: Element | undefined): void {
      if (!anchor) return;
      const parent = parentOf(anchor);
      keepInWindow(mark, parent, () => page.turn.isModal || (findModal() ?? parent) !== parent);
      if (anchor !== marked?.anchor) moveTo(anchor);
      if (context.isPreview && isAlone() !== !!opened) (opened ? close : open)();
    },
    remove(): void {
      anchored.stop();
      hide();
    },
    waits: () => (marked ? [] : [`for the anchor of ${item.name}`]),
  };
}
