import type { Context } from './context.js';
import { make, set } from './element.js';
import { STYLES } from './styles.js';
import { dom } from '../page/dom.js';

let sheet: CSSStyleSheet | undefined;

/** Constructed, so that no policy of the page holds it up. */
export function attachSheet(root: ShadowRoot): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  root.adoptedStyleSheets = [sheet];
}

/** An element of the page with a shadow root for a block, or a part of one. */
export interface Layer {
  readonly host: HTMLElement;
  /** Puts it there, or back there where the page has lost it. */
  place(parent: ParentNode): void;
  append(...nodes: Node[]): void;
  /** Lets it be heard without taking the focus. */
  announce(text: string): void;
  /** Whether the focus is in it. */
  hasFocus(): boolean;
  remove(): void;
}

/** Of what may be in a slot, whose element passes them on to the page. */
const PARTS =
  'card, checklist, title, body, buttons, button, complete, dismiss, skip, close, progress, progress-fill, items, item, tick';

export function createLayer({ language }: Pick<Context, 'language'>): Layer {
  const host = dom.createElement('waymark-layer');
  host.setAttribute('exportparts', PARTS);
  const root = host.attachShadow({ mode: 'open' });
  attachSheet(root);
  const status = make('div', { role: 'status', class: 'unseen' });
  root.append(status);
  return {
    host,
    place(parent) {
      set(host, { lang: language() });
      if (host.parentNode !== parent || !host.isConnected) parent.append(host);
    },
    append: (...nodes) => root.append(...nodes),
    announce(text) {
      // An element that is new has to stand before it changes, or screen readers do not announce
      // it.
      setTimeout(() => (status.textContent = text), 100);
    },
    hasFocus: () => root.activeElement !== null,
    remove: () => host.remove(),
  };
}

/** What makes an element hold what is fixed in it, unless it is nothing in particular. */
const HOLDERS = [
  ...(['transform', 'translate', 'rotate', 'scale', 'perspective', 'filter'] as const),
  ...(['backdropFilter', 'contain', 'containerType', 'willChange'] as const),
];

/** Whether what is fixed in the element moves with it, and not with the window. */
const holdsFixed = (element: Element): boolean => {
  const style = getComputedStyle(element);
  return HOLDERS.some((name) => !/^(|none|normal|auto)$/.test(style[name] ?? ''));
};

/**
 * Puts a fixed popover into the top layer for as long as its parent would hold it, since it is
 * positioned by the window there. It is not always there, because a page could then put nothing
 * over it; and it does not come over a modal that is open.
 */
export function keepInWindow(popover: HTMLElement, parent: Element, hasModal: () => boolean): void {
  const isOnTop = popover.matches(':popover-open');
  if (holdsFixed(parent) === isOnTop) return;
  if (isOnTop) popover.hidePopover();
  else if (!hasModal()) popover.showPopover();
}
