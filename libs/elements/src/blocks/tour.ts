import type { BlockView } from '@waymark/client';
import { toText } from '@waymark/client';
import type { Context, Draw } from '../drawing/context.js';
import { type Action, createContent, createCross, nameBy, textOf } from '../drawing/content.js';
import { make, set } from '../drawing/element.js';
import { mayTakeFocus, onEscape, takeFocus } from '../drawing/focus.js';
import { follow } from '../drawing/follow.js';
import { createLayer } from '../drawing/layer.js';
import { AnchorFinder } from '../drawing/anchored.js';
import { findModal } from '../page/find-anchor.js';
import { count } from '../texts/words.js';
import { dom } from '../page/dom.js';

const ACTIONS: readonly Action[] = [
  { label: 'skip-label', part: 'skip', act: ({ skip }) => skip },
  { label: 'back-label', part: 'back', act: ({ previous }) => previous },
  { label: 'next-label', part: 'next', isMain: true, act: ({ next }) => next },
];
const DIM = 6;

/**
 * A popover at the anchor of the active item, the page around it dimmed; each item waits for its
 * anchor and its turn.
 */
export const drawTour: Draw = (context, first) => {
  const { page, rank, isPreview } = context;
  const layer = createLayer(context);
  const anchored = new AnchorFinder(context);
  let view = first;
  let shown: { item: string; anchor: Element; stop(): void } | undefined;
  let giveBack: (() => void) | undefined;

  const popover = createPopover(context, () => view.dismiss?.());
  const dimming = createDimming();
  const cover = make(
    'div',
    { class: 'cover', popover: 'manual' },
    dimming.element,
    popover.element,
  );
  layer.append(cover);
  const stopListening = onEscape(layer.host, () => shown && view.dismiss?.());

  const findTarget = (): Element | undefined => {
    const item = getItem(view);
    const anchor = item && anchored.find(item);
    const modal = findModal();
    return !modal || (anchor && modal.contains(anchor)) ? anchor : undefined;
  };
  /** Brings what is drawn to where the tour is; called whenever either may have moved. */
  const show = (): void => {
    const item = getItem(view);
    const anchor = findTarget();
    if (!item || !anchor) return;
    layer.place(findModal() ?? dom.body);
    if (!cover.matches(':popover-open')) cover.showPopover();
    if (shown?.item === item.name && shown.anchor === anchor) return;
    const isNext = shown?.item !== item.name;
    shown?.stop();
    if (isNext && !isPreview) bringIntoView(anchor);
    const stop = follow(anchor, popover.element, popover.arrow, dimming.surround);
    shown = { item: item.name, anchor, stop };
    if (isNext && !isPreview) present(item);
  };
  /** Announces the item to a user who is typing in a form; otherwise moves the focus to it. */
  const present = (item: BlockView): void => {
    if (layer.hasFocus()) popover.element.focus({ preventScroll: true });
    else if (mayTakeFocus()) giveBack = takeFocus(popover.element, layer.hasFocus);
    else layer.announce(`${textOf(item, 'title')}. ${toText(item.fields['body'] as string)}`);
  };
  const hide = (): void => {
    shown?.stop();
    shown = undefined;
    giveBack?.();
    giveBack = undefined;
    layer.remove();
  };
  const recheck = (): void => {
    page.turn.look();
    if (page.turn.has(claim)) show();
  };
  const update = (now: BlockView): void => {
    view = now;
    popover.update(view);
    recheck();
  };
  const claim = {
    rank,
    isReady: () => findTarget() !== undefined,
    onTurn: (hasTurn: boolean) => (hasTurn ? show() : hide()),
  };
  update(first);
  const withdraw = page.turn.claim(claim);
  return {
    update,
    recheck: recheck,
    remove() {
      withdraw();
      stopListening();
      anchored.stop();
      hide();
    },
    waits() {
      const item = getItem(view);
      if (!item || page.turn.has(claim)) return [];
      if (findTarget()) return ['for its turn'];
      return [
        anchored.find(item)
          ? 'until the modal dialog of the page is closed'
          : `for the anchor of ${item.name}`,
      ];
    },
  };
};

const getItem = ({ items }: BlockView): BlockView | undefined => items.find(({ active }) => active);

/** The active item with its buttons, and which of how many it is. */
function createPopover({ words }: Context, onDismiss: () => unknown) {
  const content = createContent(ACTIONS);
  const cross = createCross(onDismiss);
  const step = make('span', { part: 'step', class: 'amount', dir: 'auto' });
  const arrow = make('span', { part: 'arrow', class: 'arrow' });
  const element = make(
    'div',
    { part: 'tour', class: 'popover', role: 'dialog', tabindex: -1 },
    arrow,
    make('div', { class: 'head' }, content.title, cross),
    make('div', { class: 'scroll' }, content.body),
    make('div', { class: 'foot' }, step, content.buttons),
  );
  return {
    element,
    arrow,
    update(tour: BlockView): void {
      const item = getItem(tour);
      if (!item) return;
      content.update(item);
      nameBy(element, content.title, words().tour);
      const index = tour.items.indexOf(item);
      const [, back] = content.buttons.children;
      (back as HTMLElement).hidden ||= index === 0;
      step.textContent = count(words().step, index + 1, tour.items.length);
      set(cross, { 'aria-label': words().close });
    },
  };
}

/** What dims the page around the anchor. */
function createDimming() {
  const element = make('div', { part: 'dimming', class: 'dimming' });
  return {
    element,
    surround({ left, top, width, height }: DOMRect, isHidden: boolean): void {
      Object.assign(element.style, {
        visibility: isHidden ? 'hidden' : '',
        left: `${left - DIM}px`,
        top: `${top - DIM}px`,
        width: `${width + 2 * DIM}px`,
        height: `${height + 2 * DIM}px`,
      });
    },
  };
}

/** Into view, once, at the pace that the user likes. */
function bringIntoView(anchor: Element): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const { top, bottom, left, right } = anchor.getBoundingClientRect();
  const isInWindow = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  anchor.scrollIntoView({
    behavior: isCalm ? 'instant' : 'smooth',
    block: isInWindow ? 'nearest' : 'center',
    inline: 'nearest',
  });
}
