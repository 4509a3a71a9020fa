import type { Context } from './context.js';
import { make, set } from './element.js';
import { STYLES } from './styles.js';

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
  place(parent: Element): void;
  append(...nodes: Node[]): void;
  /** Lets it be heard without taking the focus. */
  announce(text: string): void;
  /** Whether the focus is in it. */
  hasFocus(): boolean;
  remove(): void;
}

export function createLayer({ language }: Pick<Context, 'language'>): Layer {
  const host = document.createElement('waymark-layer');
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
      // An element that is new has to stand before it changes, or screen readers do not announce it.
      setTimeout(() => (status.textContent = text), 100);
    },
    hasFocus: () => root.activeElement !== null,
    remove: () => host.remove(),
  };
}

const CORNER = 'waymark-corner';

/** The corner where the cards and checklists of all clients are stacked. */
export function findCorner(): Element {
  const found = document.querySelector(CORNER);
  if (found) return found;
  const corner = document.createElement(CORNER);
  const root = corner.attachShadow({ mode: 'open' });
  attachSheet(root);
  root.append(make('slot'));
  document.body.append(corner);
  return corner;
}

/** Takes the corner away where nothing stands in it. */
export const tidyCorner = (): void => {
  const corner = document.querySelector(CORNER);
  if (corner?.childElementCount === 0) corner.remove();
};
