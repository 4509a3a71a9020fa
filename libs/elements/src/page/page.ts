import type { Waymark } from '@waymark/client';
import { Turn } from './turn.js';
import { dom } from './dom.js';

/**
 * What clients, and copies of this package, have in common on one page. Copies of other releases
 * use it as it is.
 */
export interface Page {
  /** In the order in which they came. */
  readonly clients: Set<Waymark>;
  /** How to stop showing the flows of a client. */
  readonly stops: WeakMap<Waymark, () => void>;
  /** The `<waymark-block>` elements that are in the document. */
  readonly slots: Set<HTMLElement>;
  readonly turn: Turn;
  /**
   * Calls now, and in the frame after anything in the document changed. Returns a function that
   * stops it.
   */
  watch(recheck: () => void): () => void;
  /** Has everything that watches recheck in the next frame. */
  look(): void;
}

const NAME = Symbol.for('waymark');
const SLOT = 'waymark-block';

/** The one of this document; made, with the element for slots, at its first use. */
export function getPage(): Page {
  const global = globalThis as { [NAME]?: Page };
  if (!global[NAME]) {
    global[NAME] = createPage();
    try {
      customElements.define(SLOT, createSlotClass(global[NAME]));
    } catch {
      // The page has taken the name, or defines nothing: what has no slot goes into the corner.
    }
  }
  return global[NAME];
}

/**
 * Changes that a MutationObserver does not report: window size, moving styles, loaded or opened
 * elements.
 */
const EVENTS = ['resize', 'transitionend', 'animationend', 'load', 'toggle', 'close'];

function createPage(): Page {
  const watchers = new Set<() => void>();
  let frame = 0;
  let ending: AbortController;
  const look = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      for (const one of watchers) one();
    });
  };
  const observer = new MutationObserver(look);
  const start = (): void => {
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    ending = new AbortController();
    const { signal } = ending;
    for (const event of EVENTS) addEventListener(event, look, { signal, capture: true });
  };
  const stop = (): void => {
    observer.disconnect();
    ending.abort();
    cancelAnimationFrame(frame);
    frame = 0;
  };
  return {
    clients: new Set(),
    stops: new WeakMap(),
    slots: new Set(),
    turn: new Turn(),
    watch(one) {
      if (watchers.size === 0) start();
      watchers.add(one);
      one();
      return () => {
        if (watchers.delete(one) && watchers.size === 0) stop();
      };
    },
    look,
  };
}

/** A place for a block in the markup of an application. */
const createSlotClass = (page: Page): CustomElementConstructor =>
  class extends HTMLElement {
    static readonly observedAttributes = ['name'];
    constructor() {
      super();
      // Frameworks that hydrate the page must not find anything in it that they have not drawn.
      this.attachShadow({ mode: 'open' }).append(dom.createElement('slot'));
    }
    connectedCallback(): void {
      page.slots.add(this);
      page.look();
    }
    disconnectedCallback(): void {
      page.slots.delete(this);
      page.look();
    }
    attributeChangedCallback(): void {
      page.look();
    }
  };
