import type { BlockView } from '@waymark/client';
import type { Context, Draw } from '../drawing/context.js';
import { COMPLETE, createContent, createCross, nameBy, textOf } from '../drawing/content.js';
import { make, set } from '../drawing/element.js';
import { onEscape, takeFocus } from '../drawing/focus.js';
import { follow, followCorner } from '../drawing/follow.js';
import { createLayer, keepInWindow, type Layer } from '../drawing/layer.js';
import { findModal } from '../page/find-anchor.js';
import { AnchorFinder } from '../drawing/anchored.js';
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
    recheck();
  };
  /**
   * Finds all anchors, then puts all marks in, then attaches them: one after the other would lay
   * the page out again for each.
   */
  const recheck = (): void => {
    const found = [...hints.values()].map((hint) => ({ hint, anchor: hint.find() }));
    for (const { hint, anchor } of found) hint.place(anchor);
    for (const { hint, anchor } of found) hint.attach(anchor);
  };
  update(first);
  return {
    update,
    recheck: recheck,
    remove: () => hints.forEach((hint) => hint.remove()),
    waits: () => [...hints.values()].flatMap((hint) => hint.waits()),
  };
};

/** A mark in a modal dialog of the page can be reached only if it is drawn in that. */
const parentOf = (anchor: Element): Element => anchor.closest('dialog:modal') ?? dom.body;

function createHint(context: Context, getHints: () => BlockView) {
  const { page, words } = context;
  const layer = createLayer(context);
  const anchored = new AnchorFinder(context);
  let item: BlockView;
  let marked: { anchor: Element; stop(): void } | undefined;

  const mark = make('button', {
    type: 'button',
    popover: 'manual',
    part: 'mark',
    class: 'mark',
    'aria-haspopup': 'dialog',
    onclick: () => (popover.isOpen() ? popover.close() : popover.open(marked?.anchor)),
  });
  const popover = createPopover(context, layer, mark, getHints);
  layer.append(mark, popover.cover);

  /** In a preview, a hint that is the only one is shown open. */
  const isAlone = (): boolean => getHints().items.filter(({ active }) => active).length === 1;
  const hide = (): void => {
    popover.close();
    marked?.stop();
    marked = undefined;
    layer.remove();
  };
  const moveTo = (anchor: Element): void => {
    const isNew = !marked;
    marked?.stop();
    marked = { anchor, stop: followCorner(anchor, mark) };
    if (popover.isOpen()) {
      popover.close();
      popover.open(anchor);
    }
    if (isNew) layer.announce(`${words().hint}: ${textOf(item, 'title')}`);
  };
  return {
    update(now: BlockView): void {
      item = now;
      popover.update(item);
      set(mark, { 'aria-label': textOf(item, 'title') || words().hint });
    },
    find: () => anchored.find(item),
    place(anchor: Element | undefined): void {
      if (!anchor) hide();
      else layer.place(parentOf(anchor));
    },
    attach(anchor: Element | undefined): void {
      if (!anchor) return;
      const parent = parentOf(anchor);
      keepInWindow(mark, parent, () => page.turn.isModal || (findModal() ?? parent) !== parent);
      if (anchor !== marked?.anchor) moveTo(anchor);
      if (!context.isPreview || isAlone() === popover.isOpen()) return;
      if (popover.isOpen()) popover.close();
      else popover.open(anchor);
    },
    remove(): void {
      anchored.stop();
      hide();
    },
    waits: () => (marked ? [] : [`for the anchor of ${item.name}`]),
  };
}

/** What the mark opens: the hint with its buttons, until the user presses Escape or beside it. */
function createPopover(
  { words, isPreview }: Context,
  layer: Layer,
  mark: HTMLElement,
  getHints: () => BlockView,
) {
  let leave: (() => void) | undefined;
  const content = createContent([
    { label: 'dismiss-all-label', part: 'dismiss-all', act: () => getHints().dismiss },
    COMPLETE,
  ]);
  const cross = createCross(() => close());
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

  const closeOutside = (event: Event): void => {
    if (!event.composedPath().includes(layer.host)) close();
  };
  const open = (anchor: Element | undefined): void => {
    // A script of the page may click a mark that was removed.
    if (!anchor || !mark.isConnected) return;
    cover.showPopover();
    const stopFollowing = follow(anchor, popover, arrow);
    const giveBack = isPreview ? () => {} : takeFocus(popover, layer.hasFocus);
    const stopListening = onEscape(layer.host, close);
    dom.addEventListener('pointerdown', closeOutside);
    set(mark, { 'aria-expanded': 'true' });
    leave = () => {
      giveBack();
      stopFollowing();
      stopListening();
      dom.removeEventListener('pointerdown', closeOutside);
      if (cover.matches(':popover-open')) cover.hidePopover();
    };
  };
  function close(): void {
    leave?.();
    leave = undefined;
    set(mark, { 'aria-expanded': 'false' });
  }
  return {
    cover,
    open,
    close,
    isOpen: () => leave !== undefined,
    update(item: BlockView): void {
      content.update(item);
      nameBy(popover, content.title, words().hint);
      set(cross, { 'aria-label': words().close });
    },
  };
}
