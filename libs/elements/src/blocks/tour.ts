import type { BlockView } from '@waymark/client';
import { toText } from '@waymark/client';
import type { Draw } from '../drawing/context.js';
import { type Action, createContent, createCross, nameBy, textOf } from '../drawing/content.js';
import { make, set } from '../drawing/element.js';
import { mayTakeFocus, onEscape, takeFocus } from '../drawing/focus.js';
import { follow } from '../drawing/follow.js';
import { createLayer } from '../drawing/layer.js';
import { Anchored } from '../drawing/anchored.js';
import { findModal } from '../page/find-anchor.js';
import { count } from '../texts/words.js';
import { dom } from '../page/dom.js';

const ACTIONS: readonly Action[] = [
  { label: 'skip-label', part: 'skip', act: ({ skip }) => skip },
  { label: 'back-label', part: 'back', act: ({ previous }) => previous },
  { label: 'next-label', part: 'next', isMain: true, act: ({ next }) => next },
];
const DIM = 6;

/** A popover at the anchor of the active item, the page around it dimmed; each item waits for its anchor and its turn. */
export const drawTour: Draw = (context, first) => {
  const { page, words, rank, isPreview } = context;
  const layer = createLayer(context);
  const content = createContent(ACTIONS);
  const anchored = new Anchored(context);
  let view = first;
  let shown: { item: string; anchor: Element; stop(): void } | undefined;
  let giveBack: (() => void) | undefined;

  const cross = createCross(() => view.dismiss?.());
  const step = make('span', { part: 'step', class: 'amount', dir: 'auto' });
  const arrow = make('span', { part: 'arrow', class: 'arrow' });
  const popover = make(
    'div',
    { part: 'tour', class: 'popover', role: 'dialog', tabindex: -1 },
    arrow,
    make('div', { class: 'head' }, content.title, cross),
    make('div', { class: 'scroll' }, content.body),
    make('div', { class: 'foot' }, step, content.buttons),
  );
  const dimming = make('div', { part: 'dimming', class: 'dimming' });
  const cover = make('div', { class: 'cover', popover: 'manual' }, dimming, popover);
  layer.append(cover);

  const getItem = (): BlockView | undefined => view.items.find(({ active }) => active);
  const findTarget = (): Element | undefined => {
    const item = getItem();
    const anchor = item && anchored.find(item);
    const modal = findModal();
    return !modal || (anchor && modal.contains(anchor)) ? anchor : undefined;
  };
  const dim = (rect: DOMRect, isHidden: boolean): void => {
    dimming.style.visibility = isHidden ? 'hidden' : '';
    const { style } = dimming;
    style.left = `${rect.left - DIM}px`;
    style.top = `${rect.top - DIM}px`;
    style.width = `${rect.width + 2 * DIM}px`;
    style.height = `${rect.height + 2 * DIM}px`;
  };
  const stopListening = onEscape(layer.host, () => shown && view.dismiss?.());

  /** Brings what is drawn to where the tour is; called whenever either may have moved. */
  const show = (): void => {
    const item = getItem();
    const anchor = findTarget();
    if (!item || !anchor) return;
    layer.place(findModal() ?? dom.body);
    if (!cover.matches(':popover-open')) cover.showPopover();
    if (shown?.item === item.name && shown.anchor === anchor) return;
    const isNext = shown?.item !== item.name;
    shown?.stop();
    if (isNext && !isPreview) bring(anchor);
    shown = { item: item.name, anchor, stop: follow(anchor, popover, arrow, dim) };
    if (isNext) tell(item);
  };
  /** Announces the item to a user who is typing in a form; otherwise moves the focus to it. */
  const tell = (item: BlockView): void => {
    if (isPreview) return;
    if (layer.hasFocus()) popover.focus({ preventScroll: true });
    else if (mayTakeFocus()) giveBack = takeFocus(popover, layer.hasFocus);
    else layer.announce(`${textOf(item, 'title')}. ${toText(item.fields['body'] as string)}`);
  };
  const hide = (): void => {
    shown?.stop();
    shown = undefined;
    giveBack?.();
    giveBack = undefined;
    layer.remove();
  };
  const update = (now: BlockView): void => {
    view = now;
    const item = getItem();
    if (item) {
      content.update(item);
      nameBy(popover, content.title, words().tour);
      const place = view.items.indexOf(item);
      const [, back] = content.buttons.children;
      (back as HTMLElement).hidden ||= place === 0;
      step.textContent = count(words().step, place + 1, view.items.length);
      set(cross, { 'aria-label': words().close });
    }
    look();
  };
  const look = (): void => {
    page.turn.look();
    if (page.turn.has(claim)) show();
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
    look,
    remove() {
      withdraw();
      stopListening();
      anchored.stop();
      hide();
    },
    waits() {
      const item = getItem();
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

/** Into view, once, at the pace that the user likes. */
function bring(anchor: Element): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const { top, bottom, left, right } = anchor.getBoundingClientRect();
  const isInWindow = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  anchor.scrollIntoView({
    behavior: isCalm ? 'instant' : 'smooth',
    block: isInWindow ? 'nearest' : 'center',
    inline: 'nearest',
  });
}
